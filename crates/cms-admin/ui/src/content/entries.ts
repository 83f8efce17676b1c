// Lists of entries, as the server is asked for them.

import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Entry, EntryQuery } from "~/api/types";
import type { Page } from "~/table/useKeyset";

/** As many as the server gives at once. */
export const PAGE = 100;

/** The list of the entries of all collections is kept under this. */
export const ALL_KEY = ["all-entries"];

/** What happens to entries, by when it happens, is kept under this. */
export const CALENDAR_KEY = ["calendar"];

/** A page of entries; those that they refer to come along by their ids where they were asked for. */
type EntryPage = Page<Entry> & { included?: Record<string, Entry> | null };

/** Every list of a collection's entries is kept under this. */
export const listKey = (collection: string) => ["entries", collection];

/** A page of a collection's entries with the values of some fields. */
export async function entryPage(collection: string, query: EntryQuery, cursor: string | undefined, signal: AbortSignal): Promise<EntryPage> {
  return answer(api.GET("/content/{collection}", { params: { path: { collection }, query: { ...query, ...(cursor ? { cursor } : {}), limit: PAGE } }, signal }));
}

/** How many entries match, and whether there are more than were counted. */
export const entryTotal = (collection: string, query: EntryQuery) =>
  queryOptions({
    queryKey: [...listKey(collection), "total", query],
    queryFn: async ({ signal }) => {
      const params = { path: { collection }, query: { ...query, includeTotal: true, limit: 1, fields: "" } };
      const { total, totalCapped } = await answer(api.GET("/content/{collection}", { params, signal }));
      return { total: total ?? undefined, isCapped: totalCapped === true };
    },
  });

/** Has every list of a collection asked for anew: something was done to its entries. */
export async function entriesChanged(queries: QueryClient, collection: string): Promise<void> {
  const stale = [{ queryKey: listKey(collection) }, { queryKey: ALL_KEY }, { queryKey: CALENDAR_KEY }, { queryKey: ["authors", collection] }];
  await Promise.all(stale.map((filter) => queries.invalidateQueries(filter)));
}
