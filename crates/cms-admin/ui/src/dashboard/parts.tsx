// What the cards are made of: a heading with a link to more, rows, and one quiet line where there is nothing.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";

import { messageOf } from "~/api/errors";
import type { AnyEntry } from "~/api/types";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import { Loaded, Skeleton } from "~/components/states";
import { collections } from "~/content/collections";
import { collectionIcon } from "~/content/icons";
import { entryLink } from "~/content/links";
import { useFormat } from "~/lib/format";

interface DashboardCardProps {
  id: string;
  title: ReactNode;
  description?: ReactNode;
  /** A link to where there is more of it. */
  more?: ReactNode;
  children: ReactNode;
}

/** As high as the card beside it. */
export function DashboardCard({ id, title, description, more, children }: DashboardCardProps) {
  return (
    <Card id={id} title={title} description={description} actions={more} flush className="h-full">
      {children}
    </Card>
  );
}

/** A link in the head of a card. */
export const MORE = "inline-flex items-center rounded-sm text-sm text-muted hover:text-ink hover:underline pointer-coarse:min-h-11";

/** One line where a list would be. */
export function Quiet({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 border-t border-line px-5 py-4 text-muted [&>svg]:mt-px [&>svg]:size-5 [&>svg]:shrink-0">
      {icon}
      <div className="min-w-0">{children}</div>
    </div>
  );
}

interface ToldProps<Data> {
  query: UseQueryResult<Data>;
  /** How many rows stand in for what is on its way. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** What a card asked for: on its way, failed, or there. What is there and could not be asked for again is told with when it was so. */
export function Told<Data>({ query, lines, children }: ToldProps<Data>) {
  const { dateTime } = useFormat();
  const when = dateTime(new Date(query.dataUpdatedAt));
  return (
    <Loaded query={query} skeleton={<LineSkeletons {...(lines === undefined ? {} : { lines })} />}>
      {(data) => (
        <>
          {query.error !== null && (
            <p role="alert" className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-2.5 text-sm text-muted">
              <span>
                <Trans>As of {when}.</Trans> {messageOf(query.error)}
              </span>
              <Button size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
                <Trans>Try again</Trans>
              </Button>
            </p>
          )}
          {children(data)}
        </>
      )}
    </Loaded>
  );
}

/** Below what was found in a part of the entries. */
export function OnlyLatest() {
  return (
    <p className="border-t border-line px-5 py-2.5 text-sm text-muted">
      <Trans>Only what changed last was looked at. There may be more.</Trans>
    </p>
  );
}

/** Rows that are on their way. */
export function LineSkeletons({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="divide-y divide-line border-t border-line">
      <span className="sr-only">
        <Trans>Loading…</Trans>
      </span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="grid gap-1.5 px-5 py-3.5">
          <Skeleton className={line % 2 ? "h-3.5 w-44 max-w-full" : "h-3.5 w-56 max-w-full"} />
          <Skeleton className="h-3 w-28" />
        </div>
      ))}
    </div>
  );
}

/** As much of a name as a row needs, in characters: the rest would not be seen. */
const LONGEST = 300;

interface EntryLinesProps {
  label: string;
  entries: readonly AnyEntry[];
  /** What is known of one, behind its collection. */
  about: (entry: AnyEntry) => ReactNode;
  /** How one stands, at the end of its row. */
  aside?: (entry: AnyEntry) => ReactNode;
  /** What is below one. */
  below?: (entry: AnyEntry) => ReactNode;
}

/** Entries, each a link to its editor. */
export function EntryLines({ label, entries, about, aside, below }: EntryLinesProps) {
  const { t } = useLingui();
  const { data: models } = useQuery(collections);
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {entries.map((entry) => {
        const model = models?.find(({ slug }) => slug === entry.type);
        const title = entry.title?.trim().slice(0, LONGEST) || entry.slug || t`Untitled`;
        return (
          <li key={entry.id} className="px-5">
            <div className="relative -mx-5 flex items-center gap-3 px-5 py-2.5 hover:bg-hover has-[a:focus-visible]:bg-hover">
              {createElement(collectionIcon(model?.icon ?? null), { "aria-hidden": true, className: "size-4 shrink-0 text-muted" })}
              <span className="min-w-0 grow">
                <Link {...entryLink(entry.type, entry.id)} title={title} className="flex font-medium after:absolute after:inset-0 hover:underline">
                  <span dir="auto" className="min-w-0 truncate">
                    {title}
                  </span>
                </Link>
                <span className="block truncate text-sm text-muted">
                  <bdi>{model?.label ?? entry.type}</bdi> · {about(entry)}
                </span>
              </span>
              {aside && <span className="max-w-[45%] shrink-0 text-sm">{aside(entry)}</span>}
            </div>
            {below?.(entry)}
          </li>
        );
      })}
    </ul>
  );
}
