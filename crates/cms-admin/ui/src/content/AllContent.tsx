// What was changed last in every collection, newest first. The server lists one collection at a time: this puts the newest of each together.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Boxes, FileText } from "lucide-react";

import { answer, api } from "~/api/client";
import type { Collection, Entry } from "~/api/types";
import { Card } from "~/components/Card";
import { EmptyState, ErrorState, Loaded, SkeletonRows } from "~/components/states";
import { useFormat } from "~/lib/format";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { RowLink } from "~/table/RowLink";

import { collection, collections } from "./collections";
import { listKey } from "./entries";
import { entryLink } from "./links";
import { EntryStatus } from "./status";
import { titleField } from "./titleField";

/** How many of each collection are looked at, and how many are shown. */
const EACH = 20;
const SHOWN = 100;

interface Listed {
  entry: Entry;
  collection: Collection;
}

export function AllContent() {
  const query = useQuery(collections);
  return (
    <Card flush>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<Boxes />} title={<Trans>No collections yet</Trans>}>
              <Trans>Content lives in collections, such as articles or pages. An administrator makes them.</Trans>
            </EmptyState>
          ) : (
            <Recent collections={all} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Recent({ collections }: { collections: Collection[] }) {
  const { t } = useLingui();
  const columns = useRecentColumns();
  const details = useQueries({ queries: collections.map(({ slug }) => collection(slug)) });
  const lists = useQueries({ queries: collections.map(({ slug }) => newest(slug)) });
  const failed = [...details, ...lists].find(({ isError }) => isError);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if ([...details, ...lists].some(({ isPending }) => isPending)) return <SkeletonRows />;
  const rows = lists
    .flatMap(({ data }, at) => {
      const collection = details[at]?.data;
      return collection ? (data ?? []).map((entry): Listed => ({ entry, collection })) : [];
    })
    .sort((one, other) => (one.entry.updatedAt < other.entry.updatedAt ? 1 : -1))
    .slice(0, SHOWN);
  if (rows.length === 0) return <EmptyState icon={<FileText />} title={<Trans>Nothing here yet</Trans>} />;
  return <DataTable label={t`All content`} columns={columns} rows={rows} rowKey={({ entry }) => entry.id} />;
}

const newest = (slug: string) => ({
  queryKey: [...listKey(slug), "newest"],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answer(api.GET("/content/{collection}", { params: { path: { collection: slug }, query: { orderBy: "updatedAt", order: "desc" as const, limit: EACH } }, signal })).then(({ items }) => items),
});

function useRecentColumns(): Column<Listed>[] {
  const { t } = useLingui();
  const { dateTime, relative } = useFormat();
  return [
    {
      id: "entry",
      header: t`Title`,
      primary: true,
      width: { least: 14, share: 3 },
      cell: ({ entry, collection }) => {
        const title = entry.data[titleField(collection)?.slug ?? ""];
        return (
          <RowLink {...entryLink(entry.type, entry.id)} dir="auto" className="block truncate">
            {typeof title === "string" && title.trim() ? title : (entry.slug ?? t`Untitled`)}
          </RowLink>
        );
      },
    },
    {
      id: "collection",
      header: t`Collection`,
      width: { least: 8, share: 1 },
      cell: ({ collection: { slug, label } }) => (
        <Link to="/content/$collection" params={{ collection: slug }} className="relative z-10 rounded-sm text-muted hover:text-ink hover:underline">
          <bdi>{label}</bdi>
        </Link>
      ),
    },
    { id: "status", header: t`Status`, width: { least: 13.5 }, cell: ({ entry }) => <EntryStatus entry={entry} /> },
    {
      id: "updatedAt",
      header: t`Updated`,
      width: { least: 8.5 },
      className: "sm:text-muted",
      cell: ({ entry: { updatedAt } }) => <span title={dateTime(updatedAt)}>{relative(updatedAt)}</span>,
    },
  ];
}
