// What was asked of the server already, put right in place after one entry changed: nothing that is known is asked for again.

import type { QueryClient, QueryKey } from "@tanstack/react-query";

import type { AnyEntry } from "~/api/types";
import { ALL_KEY, CALENDAR_KEY, listKey } from "~/content/entries";
import { pageKey, type Page } from "~/table/useKeyset";

import { happenings, placed, type Happenings, type Part } from "./calendar/placing";
import { COLUMNS, type Column } from "./offers";
import type { BoardQuestion, Question } from "./question";

/** The columns of a board are kept under this. */
const boardKey = (question: BoardQuestion): QueryKey => [...ALL_KEY, "board", question];

/** A column of a board is kept under this. */
export const columnKey = (question: BoardQuestion, column: Column): QueryKey => [...boardKey(question), column];

const questionKey = (question: Question): QueryKey => [...CALENDAR_KEY, question];

/** A part of a calendar is kept under this. */
export const partKey = (question: Question, part: Part): QueryKey => [...questionKey(question), part];

/** An entry as it is now, or that it is gone. */
export interface Now {
  id: string;
  type: string;
  entry: AnyEntry | undefined;
}

/** Shows an entry as it is now on a board: where it was, or at the top of the column that it moved to. */
export async function placeOnBoard(queries: QueryClient, question: BoardQuestion, { id, type, entry }: Now): Promise<void> {
  await hold(queries, boardKey(question));
  const found = COLUMNS.filter((column) => {
    const kept = { queryKey: columnKey(question, column), predicate: isPage };
    const isHere = queries.getQueriesData<Page<AnyEntry>>(kept).some(([, page]) => has(page, id));
    const stays = entry?.status === column ? entry : [];
    if (isHere) queries.setQueriesData<Page<AnyEntry>>(kept, (page) => page && (has(page, id) ? { ...page, items: page.items.flatMap((item) => (item.id === id ? stays : item)) } : page));
    return isHere;
  });
  if (entry && !found.includes(entry.status)) queries.setQueryData<Page<AnyEntry>>(pageKey(columnKey(question, entry.status)), (page) => page && { ...page, items: [entry, ...page.items] });
  outdate(queries, type, boardKey(question));
}

const has = (page: Page<AnyEntry> | undefined, id: string) => page?.items.some((item) => item.id === id) === true;

const isPage = ({ queryKey }: { queryKey: QueryKey }) => queryKey.includes("page");

/** Shows an entry as it is now in a calendar, on each day that something happens to it. */
export async function placeInCalendar(queries: QueryClient, question: Question, { id, type, entry }: Now): Promise<void> {
  await hold(queries, questionKey(question));
  const kept = queries.getQueriesData<Happenings>({ queryKey: questionKey(question) });
  const before = kept.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items.filter((item) => item.entry.id === id)) ?? []);
  const items = entry ? happenings(entry, before) : [];
  for (const [key, data] of kept) {
    if (data) queries.setQueryData<Happenings>(key, placed(data, key.at(-1) as Part, id, items));
  }
  outdate(queries, type, questionKey(question));
}

/** Whether a calendar is on its way as a whole, and not only what is behind what has come. */
export function isAskedAnew(queries: QueryClient, question: Question): boolean {
  return queries.getQueryCache().findAll({ queryKey: questionKey(question), fetchStatus: "fetching" }).some(({ state }) => state.fetchMeta?.fetchMore === undefined);
}

/** Lets nothing come that was asked for before: it would bring back how things were. What was not there at all yet is asked for anew. */
async function hold(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data !== undefined });
  void queries.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
}

/** All else that shows the entry asks anew when it is looked at next. */
function outdate(queries: QueryClient, type: string, own: QueryKey): void {
  const isOther = ({ queryKey }: { queryKey: QueryKey }) => !own.every((part, n) => JSON.stringify(queryKey[n]) === JSON.stringify(part));
  for (const queryKey of [listKey(type), ALL_KEY, CALENDAR_KEY]) void queries.invalidateQueries({ queryKey, predicate: isOther, refetchType: "none" });
}
