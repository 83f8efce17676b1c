// Lists of entries, as the server is asked for them.

import { queryOptions, useQuery, type QueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Entry, EntryAuthor, EntryQuery } from "~/api/types";
import type { Page } from "~/table/useKeyset";

/** As many as the server gives at once. */
export const PAGE = 100;

/** The list of the entries of all collections is kept under this. */
export const ALL_KEY = ["all-entries"];

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

/** Whoever owns entries of a collection. */
export const authors = (collection: string) =>
  queryOptions({
    queryKey: ["authors", collection],
    queryFn: () => answer(api.GET("/content/{collection}/authors", { params: { path: { collection } } })).then(({ items }) => items),
    staleTime: 60_000,
  });

export const authorName = ({ name, email }: EntryAuthor) => name ?? email;

/** Says what the owner of an entry is called. */
export function useAuthorName(collection: string): (id: string | null) => string {
  const { data } = useQuery(authors(collection));
  const byId = new Map(data?.map((author) => [author.id, authorName(author)]));
  return (id) => (id === null ? "–" : (byId.get(id) ?? ""));
}

/** Has every list of a collection asked for anew: something was done to its entries. */
export async function entriesChanged(queries: QueryClient, collection: string): Promise<void> {
  const stale = [{ queryKey: listKey(collection) }, { queryKey: ALL_KEY }, { queryKey: ["authors", collection] }];
  await Promise.all(stale.map((filter) => queries.invalidateQueries(filter)));
}
