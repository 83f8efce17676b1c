// The entries of every collection, the one that changed last first.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Boxes, FileText } from "lucide-react";
import { Suspense, useMemo } from "react";

import { answer, api } from "~/api/client";
import type { AnyEntry, Collection } from "~/api/types";
import { Card } from "~/components/Card";
import { EmptyState, ErrorState, Loaded, SkeletonRows } from "~/components/states";
import { useFormat } from "~/lib/format";
import type { Column } from "~/table/columns";
import { EndlessTable } from "~/table/EndlessTable";
import { RowLink } from "~/table/RowLink";
import { useKeyset } from "~/table/useKeyset";

import { collections } from "./collections";
import { LeftNew } from "./dialogs";
import { ALL_KEY, PAGE } from "./entries";
import { entryLink } from "./links";
import { EntryStatus } from "./status";

export function AllContent() {
  const query = useQuery(collections);
  return (
    <>
      <Suspense>
        <LeftNew labelOf={(slug) => query.data?.find((one) => one.slug === slug)?.label ?? slug} />
      </Suspense>
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
    </>
  );
}

function Recent({ collections }: { collections: Collection[] }) {
  const { t } = useLingui();
  const columns = useRecentColumns(collections);
  const list = useKeyset<AnyEntry>({
    key: ALL_KEY,
    page: (cursor, signal) => answer(api.GET("/content", { params: { query: { ...(cursor ? { cursor } : {}), limit: PAGE } }, signal })),
  });
  if (list.isPending) return <SkeletonRows />;
  if (list.count === 0 && list.error) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.count === 0) return <EmptyState icon={<FileText />} title={<Trans>Nothing here yet</Trans>} />;
  return <EndlessTable label={t`All content`} columns={columns} list={list} rowKey={({ id }) => id} nameOf={({ title, slug }) => title ?? slug ?? t`Untitled`} />;
}

function useRecentColumns(collections: Collection[]): Column<AnyEntry>[] {
  const { t } = useLingui();
  const { dateTime, relative } = useFormat();
  const columns: Column<AnyEntry>[] = [
    {
      id: "entry",
      header: t`Title`,
      primary: true,
      width: { least: 14, share: 3 },
      cell: ({ type, id, title, slug }) => (
        <RowLink {...entryLink(type, id)} dir="auto" className="block truncate">
          {title?.trim() ? title : (slug ?? t`Untitled`)}
        </RowLink>
      ),
    },
    {
      id: "collection",
      header: t`Collection`,
      width: { least: 8, share: 1 },
      cell: ({ type }) => (
        <Link to="/content/$collection" params={{ collection: type }} className="relative z-10 rounded-sm text-muted hover:text-ink hover:underline">
          <bdi>{collections.find(({ slug }) => slug === type)?.label ?? type}</bdi>
        </Link>
      ),
    },
    { id: "status", header: t`Status`, width: { least: 13.5 }, cell: (entry) => <EntryStatus entry={entry} /> },
    {
      id: "updatedAt",
      header: t`Updated`,
      width: { least: 8.5 },
      className: "sm:text-muted",
      cell: ({ updatedAt }) => <span title={dateTime(updatedAt)}>{relative(updatedAt)}</span>,
    },
  ];
  // Rows are drawn anew when their columns are.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => columns, [collections, t]);
}
