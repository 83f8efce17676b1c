// Entries in the trash: they come back from here, or go for ever.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useCallback, useMemo, useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection, TrashedEntry } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { EmptyState, ErrorState, SkeletonRows } from "~/components/states";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";
import type { Column } from "~/table/columns";
import { EndlessTable } from "~/table/EndlessTable";
import { useKeyset } from "~/table/useKeyset";

import { deleteForEver, restore } from "./deeds";
import { useAuthorName } from "./authors";
import { entriesChanged, listKey, PAGE } from "./entries";
import { useMay } from "./may";
import { EntryStatus } from "./status";
import { useTitle } from "./titles";

export function Trash({ collection }: { collection: Collection }) {
  const { t } = useLingui();
  const { slug } = collection;
  const queries = useQueryClient();
  const titleOf = useTitle(collection);
  const [doomed, setDoomed] = useState<TrashedEntry>();
  const list = useKeyset<TrashedEntry>({
    key: [...listKey(slug), "trash"],
    page: (cursor, signal) => answer(api.GET("/content/{collection}/trash", { params: { path: { collection: slug }, query: { ...(cursor ? { cursor } : {}), limit: PAGE } }, signal })),
  });
  const changed = useCallback(() => entriesChanged(queries, slug), [queries, slug]);
  const bringBack = useCallback(
    async (entry: TrashedEntry) => {
      try {
        await restore(entry);
        toast.good(<Trans>Restored.</Trans>);
      } catch (error) {
        toast.bad(error);
      }
      await changed();
    },
    [changed],
  );
  const columns = useTrashColumns(collection, bringBack, setDoomed);
  const name = doomed && titleOf(doomed);

  return (
    <>
      <p className="mb-4 text-muted">
        <Trans>Entries stay in the trash until they are restored or deleted permanently. They keep their slugs.</Trans>
      </p>
      <Card flush>
        {list.isPending ? (
          <SkeletonRows />
        ) : list.count === 0 && list.error ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.count === 0 ? (
          <EmptyState icon={<Trash2 />} title={<Trans>The trash is empty</Trans>} />
        ) : (
          <EndlessTable label={t`Trash`} columns={columns} list={list} rowKey={({ id }) => id} nameOf={titleOf} />
        )}
      </Card>
      {doomed && (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setDoomed(undefined)}
          title={
            <Trans>
              Delete <bdi>{name}</bdi> permanently?
            </Trans>
          }
          description={<Trans>Its history goes with it. This cannot be undone.</Trans>}
          confirm={<Trans>Delete permanently</Trans>}
          onConfirm={async () => {
            await deleteForEver(doomed);
            await changed();
            toast.good(<Trans>Deleted permanently.</Trans>);
          }}
        />
      )}
    </>
  );
}

function useTrashColumns(collection: Collection, onRestore: (entry: TrashedEntry) => Promise<void>, onDelete: (entry: TrashedEntry) => void): Column<TrashedEntry>[] {
  const { t } = useLingui();
  const { dateTime, relative } = useFormat();
  const may = useMay();
  const titleOf = useTitle(collection);
  const authorName = useAuthorName(collection.slug);
  const columns: Column<TrashedEntry>[] = [
    {
      id: "entry",
      header: t`Title`,
      primary: true,
      width: { least: 12, share: 3 },
      cell: (entry) => (
        <span dir="auto" className="block truncate font-medium">
          {titleOf(entry)}
        </span>
      ),
    },
    { id: "status", header: t`Restored as`, width: { least: 9 }, phone: "hidden", cell: (entry) => <EntryStatus entry={entry} /> },
    { id: "authorId", header: t`Author`, width: { least: 8, share: 1 }, phone: "hidden", className: "sm:text-muted", cell: ({ authorId }) => <bdi>{authorName(authorId)}</bdi> },
    {
      id: "deletedAt",
      header: t`Moved to trash`,
      width: { least: 9 },
      className: "sm:text-muted",
      cell: ({ deletedAt }) => deletedAt && <span title={dateTime(deletedAt)}>{relative(deletedAt)}</span>,
    },
    {
      id: "menu",
      header: t`Actions`,
      headerHidden: true,
      align: "end",
      width: { least: 10.5 },
      cell: (entry) => {
        const name = titleOf(entry);
        return (
          <span className="flex gap-1 sm:justify-end">
            {may.restore(entry) && (
              <>
                <Button size="sm" icon={<RotateCcw />} aria-label={t`Restore ${name}`} className="max-sm:hidden" onClick={() => void onRestore(entry)}>
                  <Trans>Restore</Trans>
                </Button>
                <IconButton size="sm" label={t`Restore ${name}`} icon={<RotateCcw />} className="sm:hidden" onClick={() => void onRestore(entry)} />
              </>
            )}
            {may.deleteForEver && <IconButton size="sm" label={t`Delete ${name} permanently`} icon={<Trash2 />} danger onClick={() => onDelete(entry)} />}
          </span>
        );
      },
    },
  ];
  // Rows are drawn anew when their columns are.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => columns, [collection, authorName, t, onRestore]);
}
