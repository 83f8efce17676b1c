// What whoever writes must know of: that the server cannot be reached, that a tab that is gone left something, that somebody else is at work.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Button, ButtonLink } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { newEntryLink } from "~/content/links";
import { changedIn } from "~/editing/draft";
import type { Kept } from "~/editing/journal";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";

import { Discard } from "./Discard";
import { GoneBanner } from "./Gone";
import { useCell } from "./model/cell";
import { useDraft, useItem, useSession } from "./model/context";
import { asNew } from "./model/kept";
import { usePlaceName } from "./model/names";
import type { Lock } from "./model/useLock";
import { Words } from "./Words";

interface BannersProps {
  lock: Lock;
  isGone: boolean;
  mayEdit: boolean;
  onConflict: () => void;
}

export function Banners({ lock, isGone, mayEdit, onConflict }: BannersProps) {
  const session = useSession();
  const left = useCell(session.left);
  const standing = useDraft(({ standing }) => standing);
  return (
    <div className="grid gap-3 empty:hidden">
      {isGone ? <GoneBanner /> : <Removed />}
      {!isGone && left[0] && <Left key={left[0].tab} kept={left[0]} more={left.length - 1} mayEdit={mayEdit} />}
      {lock.holder && <Held lock={lock} />}
      {!mayEdit && !isGone && <OnlyRead />}
      {standing === "offline" && (
        <Notice
          tone="warn"
          title={<Trans>The server cannot be reached</Trans>}
          action={
            <Button size="sm" onClick={() => void session.draft.flush()}>
              <Trans>Try now</Trans>
            </Button>
          }
        >
          <Trans>Keep writing. Your changes are kept in this browser and saved as soon as the connection is back.</Trans>
        </Notice>
      )}
      {standing === "conflict" && mayEdit && (
        <Notice
          tone="warn"
          title={<Trans>Somebody else changed the same place</Trans>}
          action={
            <Button size="sm" onClick={onConflict}>
              <Trans>Compare and choose</Trans>
            </Button>
          }
        >
          <Trans>Nothing is saved until you choose. Your changes are kept in this browser.</Trans>
        </Notice>
      )}
    </div>
  );
}

/** What a tab that is gone left. */
function Left({ kept, more, mayEdit }: { kept: Kept; more: number; mayEdit: boolean }) {
  const session = useSession();
  const { dateTime } = useFormat();
  const placeName = usePlaceName();
  const { list } = useFormat();
  const [isPending, setPending] = useState(false);
  const names = changedIn(kept.note);
  const fresh = asNew(kept);
  // What is written by now is another entry.
  useDraft(({ unsaved }) => unsaved.length > 0);
  const isTakenUp = session.takesUp(kept);
  const time = dateTime(new Date(kept.at));
  return (
    <Notice
      tone="warn"
      title={<Trans>You have changes that were not saved</Trans>}
      action={
        <>
          {isTakenUp && mayEdit && (
            <Button
              size="sm"
              variant="primary"
              pending={isPending}
              onClick={() => {
                setPending(true);
                // Whether it arrived cannot be seen without the server: it stays on offer.
                void session.takeUp(kept).catch(toast.bad).finally(() => setPending(false));
              }}
            >
              <Trans>Restore</Trans>
            </Button>
          )}
          {!isTakenUp && (
            <ButtonLink size="sm" variant="primary" {...newEntryLink(session.collection.slug)} search={{ locale: fresh?.locale, translationOf: fresh?.translationOf, left: kept.tab }}>
              <Trans>Continue writing</Trans>
            </ButtonLink>
          )}
          <Discard onDiscard={() => session.forget(kept)} />
        </>
      }
    >
      <Trans>
        Kept in this browser on {time}: {list(names.map(placeName))}.
      </Trans>
      {!mayEdit && <Words values={Object.fromEntries(names.map((name) => [name, kept.note.values[name]]))} fields={session.opened} nameOf={placeName} />}
      {more > 0 && (
        <p>
          <Plural value={more} one="One more is behind it." other="# more are behind it." />
        </p>
      )}
    </Notice>
  );
}

/** What was written in fields that somebody removed. */
function Removed() {
  const session = useSession();
  const removed = useDraft(({ removed }) => removed);
  const placeName = usePlaceName();
  const count = Object.keys(removed).length;
  if (count === 0) return null;
  return (
    <Notice
      tone="warn"
      title={<Plural value={count} one="Text of a field that was removed" other="Text of fields that were removed" />}
      action={<Discard onDiscard={() => session.draft.giveUpRemoved()} />}
    >
      <Trans>It is kept in this browser, and there is no place for it on the server. Copy what you need of it. Everything else is saved.</Trans>
      <Words values={removed} fields={session.opened} nameOf={placeName} />
    </Notice>
  );
}

/** Why the fields take nothing from whoever is there. */
function OnlyRead() {
  const me = useMe();
  const session = useSession();
  const isOwn = useItem()?.authorId === me.id;
  const placeName = usePlaceName();
  const unsaved = useDraft(({ unsaved }) => unsaved);
  const values = useDraft(({ values }) => values);
  return (
    <Notice tone={unsaved.length > 0 ? "warn" : "info"} title={<Trans>You can only read this</Trans>}>
      {isOwn ? <Trans>It has been published or scheduled. From then on, only editors can change it.</Trans> : <Trans>It belongs to somebody else. An editor can change it, or make you its author.</Trans>}
      {unsaved.length > 0 && (
        <>
          <p className="mt-1.5">
            <Trans>What you wrote meanwhile is not saved. It is kept in this browser, and offered when you come back.</Trans>
          </p>
          <Words values={Object.fromEntries(unsaved.map((name) => [name, values[name]]))} fields={session.opened} nameOf={placeName} />
        </>
      )}
    </Notice>
  );
}

/** Somebody else is at work. */
function Held({ lock: { holder, takeOver } }: { lock: Lock }) {
  const { t } = useLingui();
  const { relative } = useFormat();
  const [isAsked, setAsked] = useState(false);
  const hasUnsaved = useDraft(({ unsaved }) => unsaved.length > 0);
  if (!holder) return null;
  const name = holder.userName || t`Somebody`;
  const since = relative(holder.acquiredAt);
  return (
    <Notice
      tone="info"
      title={<Trans>{name} is editing this</Trans>}
      action={
        <Button size="sm" onClick={() => setAsked(true)}>
          <Trans>Take over</Trans>
        </Button>
      }
    >
      {hasUnsaved ? (
        <Trans>They took over {since}. Your changes are kept in this browser, and merged with theirs once you take over or they are done.</Trans>
      ) : (
        <Trans>They started {since}. You can read along, and edit once they are done.</Trans>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={<Trans>Take over from {name}?</Trans>}
        description={<Trans>They will not be able to save any more. What they have not saved yet stays in their browser, so nothing is lost.</Trans>}
        confirm={<Trans>Take over</Trans>}
        onConfirm={takeOver}
      />
    </Notice>
  );
}
