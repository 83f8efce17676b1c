// The columns of a list of entries: what every entry has, and whatever its collection declares.

import { useLingui } from "@lingui/react/macro";
import { useMemo, type ReactNode } from "react";

import type { Collection, ContentField, Entry } from "~/api/types";
import { Badge } from "~/components/Badge";
import { useFormat } from "~/lib/format";
import type { Column } from "~/table/columns";
import { RowLink } from "~/table/RowLink";

import { useAuthorName } from "./authors";
import { FieldValue, LISTED } from "./FieldValue";
import { entryLink } from "./links";
import { SiteTime } from "./SiteTime";
import { EntryStatus } from "./status";
import { titleField } from "./titleField";
import { useTitle } from "./titles";

/** Types whose values have an order. */
const SORTABLE: ReadonlySet<ContentField["type"]> = new Set(["string", "url", "slug", "number", "integer", "boolean", "datetime", "select"]);

/** The fields of a collection that can be columns of their own. */
export function listedFields(collection: Collection): ContentField[] {
  const title = titleField(collection)?.slug;
  return (collection.fields ?? []).filter(({ type, slug }) => LISTED.has(type) && slug !== title);
}

/** What a list shows until somebody chooses otherwise. */
export function usualColumns(collection: Collection, hasLocales: boolean): string[] {
  return ["status", ...(hasLocales ? ["locale"] : []), ...(collection.admin?.listColumns ?? []), "authorId", "updatedAt"];
}

interface EntryColumnsOptions {
  collection: Collection;
  /** The menu of a row. */
  menu: (entry: Entry) => ReactNode;
}

export function useEntryColumns({ collection, menu }: EntryColumnsOptions): Column<Entry>[] {
  const { t } = useLingui();
  const { dateTime, relative } = useFormat();
  const titleOf = useTitle(collection);
  const authorName = useAuthorName(collection.slug);
  const title = titleField(collection);
  const date = (id: "createdAt" | "updatedAt" | "publishedAt" | "scheduledAt", header: string): Column<Entry> => ({
    id,
    header,
    sort: id,
    first: "desc",
    width: { least: 8.5 },
    className: "sm:text-muted",
    cell: (entry) => {
      const at = entry[id];
      if (!at) return <span className="text-faint max-sm:hidden">–</span>;
      // What somebody planned or dated is told as it was typed.
      return id === "publishedAt" || id === "scheduledAt" ? <SiteTime at={at} isRelative /> : <span title={dateTime(at)}>{relative(at)}</span>;
    },
  });
  const columns: Column<Entry>[] = [
    {
      id: "entry",
      header: title?.label ?? t`Title`,
      primary: true,
      ...(title && isSortable(title) ? { sort: title.slug } : {}),
      first: "asc",
      width: { least: 14, share: 3 },
      cell: (entry) => (
        <RowLink {...entryLink(collection.slug, entry.id)} dir="auto" className="block truncate">
          {titleOf(entry)}
        </RowLink>
      ),
    },
    { id: "status", header: t`Status`, sort: "status", width: { least: 13.5 }, cell: (entry) => <EntryStatus entry={entry} /> },
    { id: "locale", header: t`Language`, sort: "locale", width: { least: 7.5 }, cell: ({ locale }) => <Badge>{locale}</Badge> },
    { id: "authorId", header: t`Author`, width: { least: 8, share: 1 }, className: "sm:text-muted", cell: ({ authorId }) => <bdi>{authorName(authorId)}</bdi> },
    date("updatedAt", t`Updated`),
    date("publishedAt", t`Published`),
    date("createdAt", t`Created`),
    date("scheduledAt", t`Scheduled for`),
    { id: "slug", header: t`Slug`, sort: "slug", width: { least: 8, share: 1 }, className: "sm:text-muted", cell: ({ slug }) => <bdi dir="ltr">{slug ?? "–"}</bdi> },
    ...listedFields(collection).map(
      (field): Column<Entry> => ({
        id: field.slug,
        header: field.label,
        ...(isSortable(field) ? { sort: field.slug } : {}),
        ...(field.type === "datetime" ? { first: "desc" as const } : {}),
        align: field.type === "number" || field.type === "integer" ? "end" : "start",
        width: { least: field.type === "boolean" ? 6 : 8, share: 1 },
        className: "sm:text-muted",
        cell: ({ data }) => <FieldValue field={field} value={data[field.slug]} />,
      }),
    ),
    { id: "menu", header: t`Actions`, headerHidden: true, align: "end", width: { least: 4 }, cell: menu },
  ];
  // Rows are drawn anew when their columns are: these change with what they are made of.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => columns, [collection, authorName, t, menu]);
}

function isSortable({ type, index }: ContentField): boolean {
  return SORTABLE.has(type) && index?.state === "ready";
}
