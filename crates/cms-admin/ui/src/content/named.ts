// Which entries are meant when something is done to all that are selected.

import type { BulkChange, BulkOrder, Entry, EntryQuery } from "~/api/types";
import type { Selection } from "~/table/selection";
import type { Page } from "~/table/useKeyset";

/** How many entries the server takes one by one. Whoever means more sends a filter. */
export const MOST_IDS = 1000;

/** More entries are meant than can be named, and no filter has just those. */
export class TooMany extends Error {}

export interface Which {
  selection: Selection<Entry>;
  /** What the list asks for. */
  question: EntryQuery;
  /** A page of all that match. */
  page: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Entry>>;
}

/** Which entries are meant: those of a filter, or each by its id where no filter says it. */
export async function namedBy({ selection, question, page }: Which): Promise<Pick<BulkOrder, "ids" | "filter">> {
  if (selection.kind === "these") return { ids: few([...selection.rows.keys()]) };
  if (selection.except.size > 0) return { ids: await matching(page, selection.except) };
  const { status, locale, authorId, dateField, dateFrom, dateTo, fieldFilters } = question;
  const filter = Object.fromEntries(Object.entries({ status, locale, authorId, dateField, dateFrom, dateTo }).filter(([, value]) => value !== undefined));
  return { filter: { ...filter, fieldFilters: JSON.parse(fieldFilters ?? "{}") as NonNullable<BulkOrder["filter"]>["fieldFilters"] } };
}

function few(ids: string[]): string[] {
  if (ids.length > MOST_IDS) throw new TooMany();
  return ids;
}

/** All that match but some. */
async function matching(page: Which["page"], except: ReadonlyMap<string, Entry>): Promise<string[]> {
  const { signal } = new AbortController();
  let found: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor }: Page<Entry> = await page(cursor, signal);
    found = few([...found, ...items.map(({ id }) => id).filter((id) => !except.has(id))]);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** Those of the selected entries with which it did not work, as far as they are named. */
export function stillSelected(selection: Selection<Entry>, { failedItems }: Pick<BulkChange, "failedItems">): Entry[] {
  if (selection.kind === "all") return [];
  return [...selection.rows.values()].filter(({ id }) => failedItems.some(({ item }) => item.includes(id)));
}
