// What somebody does first on a new site: each step goes when it is done, and all of them when somebody knows their way.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Blocks, FilePlus, KeyRound, Send, UserPlus, X, type LucideIcon } from "lucide-react";
import { useEffect, useEffectEvent } from "react";

import { passkeys } from "~/account/queries";
import { messageOf } from "~/api/errors";
import { Button, ButtonLink, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { collections } from "~/content/collections";
import { entryLink, newEntryLink } from "~/content/links";
import { invitations, users } from "~/people/queries";
import { useIsBehindGateway } from "~/session/gateway";
import { useCan, useMe } from "~/session/session";

import { draftsOf, planned, publishedOf } from "./queries";
import { ENOUGH_PASSKEYS } from "./security";
import { stepsLeft, type Done, type StepName } from "./steps";

const STEPS: Record<StepName, { icon: LucideIcon; title: MessageDescriptor; text: MessageDescriptor; action: MessageDescriptor }> = {
  model: { icon: Blocks, title: msg`Model a collection`, text: msg`Say what your content is made of, such as articles with a title and a text.`, action: msg`New collection` },
  write: { icon: FilePlus, title: msg`Write an entry`, text: msg`It is saved while you type, and nobody sees it before it is published.`, action: msg`Write` },
  publish: { icon: Send, title: msg`Publish it`, text: msg`From then on, your website and apps can read it.`, action: msg`Open the draft` },
  invite: { icon: UserPlus, title: msg`Invite somebody`, text: msg`With a second administrator, nobody is locked out when one is away.`, action: msg`Invite` },
  passkey: { icon: KeyRound, title: msg`Add a second passkey`, text: msg`On another device, so that losing the first does not lock you out.`, action: msg`Add passkey` },
};

export function FirstSteps({ onOver }: { onOver: () => void }) {
  const { t, i18n } = useLingui();
  const { steps, done, links, error, retry } = useSteps();
  const { left, count, isKnown } = stepsLeft(steps, done);
  const total = steps.length;
  const isOver = isKnown && left.length === 0;
  // From then on nothing is asked for to find that out.
  const over = useEffectEvent(onOver);
  useEffect(() => {
    if (isOver) over();
  }, [isOver]);
  if (isOver || (!isKnown && !error)) return null;
  return (
    <Card
      id="first-steps"
      flush
      className="mb-5"
      title={<Trans>First steps</Trans>}
      description={
        <Trans>
          {count} of {total} done
        </Trans>
      }
      actions={<IconButton label={t`Hide the first steps`} icon={<X />} onClick={onOver} />}
    >
      {left.length > 0 && (
        <ul aria-label={t`First steps`} className="divide-y divide-line border-t border-line">
          {left.map((name) => {
            const { icon: Icon, title, text, action } = STEPS[name];
            return (
              <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
                <div className="flex min-w-0 grow basis-64 gap-3">
                  <Icon aria-hidden className="mt-px size-5 shrink-0 text-accent-ink" />
                  <div className="min-w-0">
                    <p className="font-medium">{i18n._(title)}</p>
                    <p className="text-muted">{i18n._(text)}</p>
                  </div>
                </div>
                {links[name] && (
                  <ButtonLink size="sm" {...links[name]}>
                    {i18n._(action)}
                  </ButtonLink>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {error !== null && (
        <p role="alert" className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-muted">
          <span>
            <Trans>It could not be found out what is left.</Trans> {messageOf(error)}
          </span>
          <Button size="sm" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
    </Card>
  );
}

/** The steps that whoever is signed in may take, what is known of them, and where each is taken. */
function useSteps() {
  const me = useMe();
  const can = useCan();
  const isBehindGateway = useIsBehindGateway();
  const may: Record<StepName, boolean> = {
    model: can("schema:manage"),
    write: can("content:create"),
    publish: can("content:create") && (can("content:publish_own") || can("content:publish_any")),
    invite: can("users:invite") && can("users:read") && !isBehindGateway,
    passkey: can("auth:manage_own_credentials") && !isBehindGateway,
  };
  const models = useQuery({ ...collections, enabled: can("content:read_drafts") });
  const drafts = useQuery({ ...draftsOf(me.id), enabled: may.write });
  const waiting = useQuery({ ...planned, enabled: may.write });
  const published = useQuery({ ...publishedOf(me.id), enabled: may.write });
  const people = useQuery({ ...users({}), enabled: may.invite });
  const isAlone = people.data && people.data.items.length < 2;
  const invited = useQuery({ ...invitations({}), enabled: may.invite && isAlone === true });
  const keys = useQuery({ ...passkeys, enabled: may.passkey });

  const has = (query: { data?: { items: readonly unknown[] } | undefined }, least = 1) => query.data && query.data.items.length >= least;
  const own = waiting.data && { items: waiting.data.items.filter(({ authorId }) => authorId === me.id) };
  const wrote = [has(drafts), has(published), has({ data: own })];
  const done: Done = {
    model: models.data && models.data.length > 0,
    write: wrote.includes(true) ? true : wrote.includes(undefined) ? undefined : false,
    publish: has(published),
    invite: isAlone === false ? true : has(invited),
    passkey: has(keys, ENOUGH_PASSKEYS),
  };
  const [first, draft] = [models.data?.find(({ hidden }) => !hidden), drafts.data?.items[0]];
  const links = {
    model: { to: "/model", search: { new: "1" } },
    write: first && newEntryLink(first.slug),
    publish: draft && entryLink(draft.type, draft.id),
    invite: { to: "/invitations", search: { new: "1" } },
    passkey: { to: "/account/security" },
  } as const;
  const asked = [models, drafts, waiting, published, people, invited, keys];
  const failed = asked.filter(({ data, error }) => data === undefined && error);
  return {
    steps: (Object.keys(STEPS) as StepName[]).filter((name) => may[name]),
    done,
    links,
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach((query) => void query.refetch()),
  };
}
