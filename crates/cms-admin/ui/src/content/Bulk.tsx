// Work on everything that is selected: the bar that offers it, what is asked before, its progress, and what stays selected after it.

import { plural } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";

import type { BulkChange, Collection, Entry, EntryQuery } from "~/api/types";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import type { Selecting, Selection } from "~/table/selection";

import { begin, beginUndo } from "./bulk";
import { BulkBar, type BulkKind } from "./BulkBar";
import { BulkDialog } from "./BulkDialog";
import type { Deed } from "./deeds";
import { AuthorDialog, ScheduleDialog } from "./dialogs";
import { entriesChanged } from "./entries";
import { MOST_IDS, stillSelected, TooMany } from "./named";

/** Work that is under way. */
interface Work {
  job: string;
  title: string;
  /** What was selected when it began; undefined where it takes back what another one did. */
  selection?: Selection<Entry>;
}

interface BulkProps {
  collection: Collection;
  selecting: Selecting<Entry>;
  total: number | undefined;
  /** What the list asks for. */
  question: EntryQuery;
  loaded: () => Entry[];
}

export function Bulk({ collection, selecting, total, question, loaded }: BulkProps) {
  const { t, i18n } = useLingui();
  const { number } = useFormat();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<BulkKind>();
  const [work, setWork] = useState<Work>();
  const { slug } = collection;
  const { selection, count } = selecting;
  if (selecting.isEmpty && !asked && !work) return null;

  const most = number(MOST_IDS);
  const entries = count === undefined ? t`all that match` : i18n._(plural(count, { one: "# entry", other: "# entries" }));
  const titles: Record<BulkKind, string> = {
    publish: t`Publishing ${entries}`,
    unpublish: t`Unpublishing ${entries}`,
    schedule: t`Scheduling ${entries}`,
    trash: t`Moving ${entries} to the trash`,
    author: t`Changing the author of ${entries}`,
  };

  async function start(deed: Deed) {
    try {
      setWork({ job: await begin(slug, deed, { selection, question, shown: loaded() }), title: titles[deed.kind], selection });
    } catch (error) {
      toast.bad(error instanceof TooMany ? t`Select at most ${most} entries one by one, or all that match.` : error);
    }
  }

  async function undo(id: string) {
    try {
      setWork({ job: await beginUndo(id), title: t`Undoing` });
    } catch (error) {
      toast.bad(error);
    }
  }

  function settle({ selection }: Work, { failed, failedItems }: BulkChange) {
    void entriesChanged(queries, slug);
    // What did not work can be tried again at once.
    if (selection && failed > 0) selecting.only(stillSelected(selection, { failedItems }));
    else if (selection) selecting.clear();
  }

  // News would lie over the dialog that tells what did not work.
  function end(work: Work, result: BulkChange | undefined) {
    setWork(undefined);
    if (result) tell(work, result);
  }

  function tell({ selection }: Work, { id, changed, undoable, skipped, failed }: BulkChange) {
    const again = selection && undoable > 0 ? { label: t`Undo`, onSelect: () => void undo(id) } : undefined;
    if (changed > 0) toast.good(selection ? <Plural value={changed} one="# entry was changed." other="# entries were changed." /> : <Trans>Undone.</Trans>, again);
    else if (failed === 0 && skipped > 0) toast.good(<Trans>There was nothing to change.</Trans>);
  }

  const close = () => setAsked(undefined);
  return (
    <>
      <BulkBar selecting={selecting} total={total} canSchedule={collection.supports.includes("scheduling")} onChoose={setAsked} />
      <Suspense>
        {asked === "schedule" && <ScheduleDialog name={entries} onClose={close} onSchedule={(at) => start({ kind: "schedule", at })} />}
        {asked === "author" && <AuthorDialog collection={slug} name={entries} onClose={close} onChoose={(id) => void start({ kind: "author", id })} />}
      </Suspense>
      {(asked === "publish" || asked === "unpublish" || asked === "trash") && (
        <ConfirmDialog
          open
          danger={asked === "trash"}
          onOpenChange={close}
          title={asked === "publish" ? <Trans>Publish {entries}?</Trans> : asked === "unpublish" ? <Trans>Unpublish {entries}?</Trans> : <Trans>Move {entries} to the trash?</Trans>}
          description={
            asked === "publish" ? (
              <Trans>Incomplete entries are left as they are, and listed at the end.</Trans>
            ) : asked === "unpublish" ? (
              <Trans>They will disappear from the site and stay here as drafts.</Trans>
            ) : (
              <Trans>What is public disappears from the site. You can restore all of it from the trash.</Trans>
            )
          }
          confirm={asked === "publish" ? <Trans>Publish</Trans> : asked === "unpublish" ? <Trans>Unpublish</Trans> : <Trans>Move to trash</Trans>}
          onConfirm={() => start({ kind: asked })}
        />
      )}
      {work && <BulkDialog key={work.job} job={work.job} title={work.title} staysSelected={work.selection?.kind === "these"} onOver={(result) => settle(work, result)} onClose={(result) => end(work, result)} />}
    </>
  );
}
