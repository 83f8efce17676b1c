// What the menu of a row does, with the question before it and the news after it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useState, type ReactNode } from "react";

import type { Collection, Entry } from "~/api/types";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { toast } from "~/components/toast";

import { duplicate, perform, restore } from "./deeds";
import { ScheduleDialog } from "./dialogs";
import type { Chosen } from "./EntryMenu";
import { entriesChanged } from "./entries";
import { entryLink } from "./links";
import { useTitle } from "./titles";

export function useEntryDeeds(collection: Collection): { choose: (entry: Entry, chosen: Chosen) => void; dialog: ReactNode } {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const titleOf = useTitle(collection);
  const [asked, setAsked] = useState<{ entry: Entry; chosen: "schedule" | "trash" | "unpublish" }>();
  const { slug } = collection;
  const changed = useCallback(() => entriesChanged(queries, slug), [queries, slug]);

  const run = useCallback(
    async (work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        toast.bad(error);
      }
      await changed();
    },
    [changed],
  );

  const choose = useCallback(
    (entry: Entry, chosen: Chosen) => {
      if (chosen === "schedule" || chosen === "trash" || chosen === "unpublish") {
        setAsked({ entry, chosen });
        return;
      }
      void run(async () => {
        if (chosen === "publish") {
          await perform(entry, { kind: "publish" });
          toast.good(<Trans>Published.</Trans>);
        } else if (chosen === "duplicate") {
          const copy = await duplicate(entry);
          toast.good(<Trans>A copy was made as a draft.</Trans>, { label: t`Open`, onSelect: () => void navigate(entryLink(slug, copy.id)) });
        } else {
          await navigator.clipboard.writeText(entry.id);
          toast.good(<Trans>The ID is copied.</Trans>);
        }
      });
    },
    [run, navigate, slug, t],
  );

  async function trash(entry: Entry) {
    await perform(entry, { kind: "trash" });
    await changed();
    toast.good(<Trans>Moved to the trash.</Trans>, {
      label: t`Undo`,
      onSelect: () =>
        void run(async () => {
          await restore(entry);
          toast.good(<Trans>Restored.</Trans>);
        }),
    });
  }

  const close = () => setAsked(undefined);
  const entry = asked?.entry;
  const name = entry ? titleOf(entry) : "";
  const dialog = entry && (
    <Suspense>
      {asked.chosen === "schedule" && (
        <ScheduleDialog
          name={name}
          onClose={close}
          onSchedule={async (at) => {
            await perform(entry, { kind: "schedule", at });
            await changed();
            toast.good(<Trans>Scheduled.</Trans>);
          }}
        />
      )}
      {asked.chosen === "trash" && (
        <ConfirmDialog
          open
          danger
          onOpenChange={close}
          title={
            <Trans>
              Move <bdi>{name}</bdi> to the trash?
            </Trans>
          }
          description={entry.status === "published" ? <Trans>It is public and will disappear from the site. You can restore it from the trash.</Trans> : <Trans>You can restore it from the trash.</Trans>}
          confirm={<Trans>Move to trash</Trans>}
          onConfirm={() => trash(entry)}
        />
      )}
      {asked.chosen === "unpublish" && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={
            <Trans>
              Unpublish <bdi>{name}</bdi>?
            </Trans>
          }
          description={<Trans>It will disappear from the site and stay here as a draft.</Trans>}
          confirm={<Trans>Unpublish</Trans>}
          onConfirm={async () => {
            await perform(entry, { kind: "unpublish" });
            await changed();
            toast.good(<Trans>Unpublished.</Trans>);
          }}
        />
      )}
    </Suspense>
  );
  return { choose, dialog };
}
