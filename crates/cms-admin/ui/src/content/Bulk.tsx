// Work on everything that is selected: the bar that offers it, what is asked before, its progress, and what stays selected after it.

import { plural } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { Collection, Entry } from "~/api/types";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";
import type { Selecting } from "~/table/selection";

import { AuthorDialog } from "./AuthorDialog";
import { inBulk, type BulkOptions, type BulkResult } from "./bulk";
import { BulkBar, type BulkKind } from "./BulkBar";
import { BulkDialog } from "./BulkDialog";
import { perform, restore, type Deed } from "./deeds";
import { entriesChanged } from "./entries";
import { ScheduleDialog } from "./ScheduleDialog";
import { useTitle } from "./titles";

/** Work that is under way. */
interface Work {
  title: string;
  options: Pick<BulkOptions, "selection" | "perform">;
  onDone: (result: BulkResult) => void;
}

interface BulkProps {
  collection: Collection;
  selecting: Selecting<Entry>;
  total: number | undefined;
  /** A page of all that match. */
  page: BulkOptions["page"];
}

export function Bulk({ collection, selecting, total, page }: BulkProps) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const titleOf = useTitle(collection);
  const [asked, setAsked] = useState<BulkKind>();
  const [work, setWork] = useState<Work>();
  const { selection, count } = selecting;
  const entries = count === undefined ? t`all that match` : i18n._(plural(count, { one: "# entry", other: "# entries" }));
  const titles: Record<BulkKind, string> = {
    publish: t`Publishing ${entries}`,
    unpublish: t`Unpublishing ${entries}`,
    schedule: t`Scheduling ${entries}`,
    trash: t`Moving ${entries} to the trash`,
    author: t`Changing the author of ${entries}`,
  };

  function start(deed: Deed) {
    setAsked(undefined);
    setWork({ title: titles[deed.kind], options: { selection, perform: (entry) => perform(entry, deed) }, onDone: (result) => tell(deed, result) });
  }

  function tell(deed: Deed, { succeeded, failed, left }: BulkResult) {
    // What did not work, and what was not reached, can be tried again at once.
    selecting.only([...failed.map(({ entry }) => entry), ...left]);
    const n = succeeded.length;
    if (n === 0) return;
    const done = <Plural value={n} one="Done with # entry." other="Done with # entries." />;
    if (deed.kind !== "trash") toast.good(done);
    else toast.good(<Plural value={n} one="# entry was moved to the trash." other="# entries were moved to the trash." />, { label: t`Undo`, onSelect: () => undo(succeeded) });
  }

  function undo(entries: Entry[]) {
    const rows = new Map(entries.map((entry) => [entry.id, entry]));
    setWork({ title: t`Restoring`, options: { selection: { kind: "these", rows }, perform: restore }, onDone: () => toast.good(<Trans>Restored.</Trans>) });
  }

  const close = () => setAsked(undefined);
  return (
    <>
      <BulkBar
        selecting={selecting}
        total={total}
        canSchedule={collection.supports.includes("scheduling")}
        onChoose={setAsked}
      />
      {asked === "schedule" && (
        <ScheduleDialog
          name={entries}
          onClose={close}
          onSchedule={(at) => {
            start({ kind: "schedule", at });
            return Promise.resolve();
          }}
        />
      )}
      {asked === "author" && <AuthorDialog collection={collection.slug} name={entries} onClose={close} onChoose={(id) => start({ kind: "author", id })} />}
      {(asked === "publish" || asked === "unpublish" || asked === "trash") && (
        <ConfirmDialog
          open
          danger={asked === "trash"}
          onOpenChange={close}
          title={asked === "publish" ? <Trans>Publish {entries}?</Trans> : asked === "unpublish" ? <Trans>Unpublish {entries}?</Trans> : <Trans>Move {entries} to the trash?</Trans>}
          description={
            asked === "publish" ? (
              <Trans>What is not complete is left as it is, and listed at the end.</Trans>
            ) : asked === "unpublish" ? (
              <Trans>They will disappear from the site and stay here as drafts.</Trans>
            ) : (
              <Trans>What is public disappears from the site. You can restore all of it from the trash.</Trans>
            )
          }
          confirm={asked === "publish" ? <Trans>Publish</Trans> : asked === "unpublish" ? <Trans>Unpublish</Trans> : <Trans>Move to trash</Trans>}
          onConfirm={() => {
            start({ kind: asked });
            return Promise.resolve();
          }}
        />
      )}
      {work && (
        <BulkDialog
          key={work.title}
          title={work.title}
          titleOf={titleOf}
          run={(signal, onProgress) => inBulk({ ...work.options, page, signal, onProgress })}
          onResult={(result) => {
            work.onDone(result);
            void entriesChanged(queries, collection.slug);
          }}
          onClose={() => setWork(undefined)}
        />
      )}
    </>
  );
}
