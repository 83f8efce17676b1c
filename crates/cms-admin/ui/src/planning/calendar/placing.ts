// What is known of a time, page by page, and where in it one entry belongs.

import type { InfiniteData } from "@tanstack/react-query";

import type { AnyEntry, CalendarItem, CalendarKind } from "~/api/types";
import type { Page } from "~/table/useKeyset";

/** A part of what happens: some kinds of it, within a time. */
export interface Part {
  kinds: readonly CalendarKind[];
  from: string;
  to: string;
}

export type Happenings = InfiniteData<Page<CalendarItem>>;

/** What happens to an entry. A date that waits with its draft is not the one that it is public since: that one is known from before. */
export function happenings(entry: AnyEntry, before: readonly CalendarItem[]): CalendarItem[] {
  const live = before.find(({ kind }) => kind === "published")?.at;
  const since = (entry.hasDraft ? live : undefined) ?? entry.publishedAt;
  const found: [CalendarKind, string | null][] = [
    ["publish", entry.scheduledAt],
    ["unpublish", entry.unpublishAt],
    ["published", entry.status === "published" ? since : null],
  ];
  return found.flatMap(([kind, at]) => (at === null ? [] : [{ kind, at, entry }]));
}

/** What is kept of a part, with what happens to one entry in the place of what was known of it. */
export function placed(data: Happenings, { kinds, from, to }: Part, id: string, items: readonly CalendarItem[]): Happenings {
  const isWithin = ({ kind, at }: CalendarItem) => kinds.includes(kind) && Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
  let pages = data.pages.map((page) => (page.items.some(({ entry }) => entry.id === id) ? { ...page, items: page.items.filter(({ entry }) => entry.id !== id) } : page));
  for (const item of items.filter(isWithin)) {
    const at = Date.parse(item.at);
    const here = pages.findIndex((page) => Date.parse(page.items.at(-1)?.at ?? "") >= at);
    // What is behind all that has come, comes with the rest.
    if (here === -1 && pages.at(-1)?.nextCursor) continue;
    const target = here === -1 ? pages.length - 1 : here;
    pages = pages.map((page, n) => (n === target ? { ...page, items: page.items.toSpliced(firstAfter(page.items, at), 0, item) } : page));
  }
  return { ...data, pages };
}

function firstAfter(items: readonly CalendarItem[], at: number): number {
  const found = items.findIndex((item) => Date.parse(item.at) > at);
  return found === -1 ? items.length : found;
}
