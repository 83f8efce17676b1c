// An entry that is in the trash, or was deleted, and what somebody wrote in it that the server does not have.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { ErrorState, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { restore } from "~/content/deeds";
import { newEntryLink } from "~/content/links";
import { useMay } from "~/content/may";
import { changedIn } from "~/editing/draft";
import { abandoned, forget } from "~/editing/journal";
import type { Values } from "~/editing/merge";
import { useMe } from "~/session/session";

import { Discard } from "./Discard";
import { useCell } from "./model/cell";
import { useDraft, useSession } from "./model/context";
import { fateOf, type Gone } from "./model/gone";
import { hand } from "./model/handed";
import { journalName } from "./model/kept";
import { usePlaceName, usePlaceNameAmong } from "./model/names";
import type { Field } from "./model/values";
import { model } from "./queries";
import { Words } from "./Words";

interface GoneNoticeProps {
  collection: string;
  locale: string | undefined;
  gone: Gone;
  /** What the server does not have, of all that is on the screen or in a note. */
  names: string[];
  values: Values;
  fields: readonly Field[];
  nameOf: (path: string) => string;
  /** It is out of the trash. */
  onBack: () => unknown;
  onForget: () => Promise<unknown>;
}

function GoneNotice({ collection, locale, gone: { trashed }, names, values, fields, nameOf, onBack, onForget }: GoneNoticeProps) {
  const may = useMay();
  const navigate = useNavigate();
  const [isPending, setPending] = useState(false);
  const hasWords = names.length > 0;
  const mayRestore = trashed !== undefined && may.restore(trashed);

  async function bringBack() {
    if (!trashed) return;
    setPending(true);
    try {
      await restore(trashed);
    } catch (error) {
      toast.bad(error);
    } finally {
      setPending(false);
    }
    // Somebody else may have been faster.
    await onBack();
  }

  function start() {
    hand({ collection, values, forget: onForget });
    void navigate({ ...newEntryLink(collection), search: { locale }, ignoreBlocker: true });
  }

  return (
    <Notice
      tone="warn"
      title={trashed ? <Trans>This was moved to the trash</Trans> : <Trans>This was deleted</Trans>}
      action={
        <>
          {mayRestore && (
            <Button size="sm" variant="primary" pending={isPending} onClick={() => void bringBack()}>
              <Trans>Take it out of the trash</Trans>
            </Button>
          )}
          {hasWords && may.create && (
            <Button size="sm" variant={mayRestore ? "secondary" : "primary"} onClick={start}>
              <Trans>Start a new entry with it</Trans>
            </Button>
          )}
          {hasWords && <Discard onDiscard={onForget} />}
        </>
      }
    >
      {!hasWords ? (
        trashed ? (
          <Trans>Nothing can be changed in it as long as it is there.</Trans>
        ) : (
          <Trans>It cannot be brought back.</Trans>
        )
      ) : mayRestore ? (
        <Trans>What you wrote since is kept in this browser, and is saved once the entry is out of the trash.</Trans>
      ) : trashed ? (
        <Trans>What you wrote since is kept in this browser. Ask somebody who may edit the entry to restore it.</Trans>
      ) : (
        <Trans>What you wrote since is kept in this browser.</Trans>
      )}
      {hasWords && <Words values={Object.fromEntries(names.map((name) => [name, values[name]]))} fields={fields} nameOf={nameOf} />}
    </Notice>
  );
}

/** What is said of an open entry that is gone. */
export function GoneBanner() {
  const session = useSession();
  const gone = useCell(session.gone);
  const nameOf = usePlaceName();
  const unsaved = useDraft(({ unsaved }) => unsaved);
  const values = useDraft(({ values }) => values);
  const removed = useDraft(({ removed }) => removed);
  if (!gone) return null;
  return (
    <GoneNotice
      {...{ gone, nameOf }}
      collection={session.collection.slug}
      locale={session.locale}
      fields={session.opened}
      names={[...unsaved, ...Object.keys(removed)]}
      values={{ ...values, ...removed }}
      onBack={() => session.refresh()}
      onForget={() => session.draft.discard()}
    />
  );
}

/** The screen of an entry that is not there, with what was left of it in this browser. */
export function Lost({ collection, id, error, onBack }: { collection: string; id: string; error: unknown; onBack: () => void }) {
  const { t } = useLingui();
  const name = journalName(useMe().id, collection, { id });
  const fate = useQuery({ queryKey: ["content", collection, id, "fate"], queryFn: () => fateOf(collection, id), retry: false });
  // A browser that keeps nothing has nothing.
  const left = useQuery({ queryKey: ["left", name], queryFn: () => abandoned(name).catch(() => []), networkMode: "always", staleTime: 0 });
  const { data: { fields } = { fields: [] } } = useQuery(model(collection));
  const nameOf = usePlaceNameAmong(fields);
  const kept = left.data ?? [];
  const gone = fate.data ?? { trashed: undefined };
  const common = { collection, gone, fields, nameOf, onBack, locale: gone.trashed?.locale };
  return (
    <>
      <PageHeader title={gone.trashed ? t`This entry is in the trash` : t`This entry does not exist`} />
      {fate.isPending || left.isPending ? (
        <Card flush>
          <SkeletonRows rows={4} />
        </Card>
      ) : (
        <div className="grid max-w-3xl gap-3">
          {kept.map((one) => (
            <GoneNotice
              key={one.tab}
              {...common}
              names={changedIn(one.note)}
              values={one.note.values}
              onForget={async () => {
                await forget(one);
                await left.refetch();
              }}
            />
          ))}
          {kept.length === 0 && gone.trashed && <GoneNotice {...common} names={[]} values={{}} onForget={() => Promise.resolve()} />}
          {kept.length === 0 && !gone.trashed && (
            <Card flush>
              <ErrorState error={error} onRetry={onBack} />
            </Card>
          )}
        </div>
      )}
    </>
  );
}
