// Which entries are meant when something is done to all that are selected.

import type { BulkChange, BulkOrder, Entry, EntryQuery } from "~/api/types";
import type { Selection } from "~/table/selection";

/** How many entries the server takes one by one, to be changed or to be left. Whoever means more sends a filter. */
export const MOST_IDS = 1000;

/** More entries are ticked, or unticked, than can be named. */
export class TooMany extends Error {}

export interface Which {
  selection: Selection<Entry>;
  /** What the list asks for. */
  question: EntryQuery;
  /** What the list shows: newer than it was when it was ticked, perhaps. */
  shown: Entry[];
}

/** Which entries are meant: those of a filter but some, or each by its id, as it was seen. */
export function namedBy({ selection, question, shown }: Which): Pick<BulkOrder, "ids" | "versions" | "filter"> {
  if (selection.kind === "these") return { ids: few(selection.rows), versions: versionsOf(selection.rows, shown) };
  const { status, locale, authorId, dateField, dateFrom, dateTo, fieldFilters } = question;
  const filter = Object.fromEntries(Object.entries({ status, locale, authorId, dateField, dateFrom, dateTo }).filter(([, value]) => value !== undefined));
  const fields = JSON.parse(fieldFilters ?? "{}") as NonNullable<BulkOrder["filter"]>["fieldFilters"];
  return { versions: {}, filter: { ...filter, fieldFilters: fields, ...(selection.except.size > 0 ? { except: few(selection.except) } : {}) } };
}

function few(rows: ReadonlyMap<string, Entry>): string[] {
  if (rows.size > MOST_IDS) throw new TooMany();
  return [...rows.keys()];
}

/** What is done is done to entries as somebody saw them. */
function versionsOf(rows: ReadonlyMap<string, Entry>, shown: Entry[]): Record<string, number> {
  const seen = [...rows.values(), ...shown.filter(({ id }) => rows.has(id))];
  return Object.fromEntries(seen.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])));
}

/** Those of the selected entries with which it did not work, as far as they are named. */
export function stillSelected(selection: Selection<Entry>, { failedItems }: Pick<BulkChange, "failedItems">): Entry[] {
  if (selection.kind === "all") return [];
  return [...selection.rows.values()].filter(({ id }) => failedItems.some((failed) => failed.id === id));
}
