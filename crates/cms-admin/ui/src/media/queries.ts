// The library, as the server is asked for it, and what is done to it.

import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { MediaChange, MediaFolder, MediaItem, MediaQuery } from "~/api/types";
import type { Page } from "~/table/useKeyset";

/** Whatever is kept of the library is kept under this. */
export const MEDIA_KEY = ["media"];
const LISTS = [...MEDIA_KEY, "list"];
const FOLDERS = [...MEDIA_KEY, "folders"];

/** As many as the server gives at once. */
const PAGE = 100;

export const listKey = (query: MediaQuery) => [...LISTS, query];

export function mediaPage(query: MediaQuery, cursor: string | undefined, signal: AbortSignal): Promise<Page<MediaItem>> {
  return answer(api.GET("/media", { params: { query: { ...query, ...(cursor ? { cursor } : {}), limit: PAGE } }, signal }));
}

/** All folders: there are a thousand at most. */
export const folders = queryOptions({
  queryKey: FOLDERS,
  queryFn: async ({ signal }) => {
    const all: MediaFolder[] = [];
    for (let cursor: string | null | undefined = ""; cursor !== undefined && cursor !== null; ) {
      const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor ? { cursor } : {}) };
      const page: Page<MediaFolder> = await answer(api.GET("/media/folders", { params: { query }, signal }));
      all.push(...page.items);
      cursor = page.nextCursor;
    }
    return all;
  },
});

/** An item, with how often it is used. */
export const mediaItem = (id: string) =>
  queryOptions({
    queryKey: [...MEDIA_KEY, "item", id],
    queryFn: async ({ signal }) => (await answer(api.GET("/media/{id}", { params: { path: { id }, query: { includeUsage: "1" } }, signal }))).item,
  });

/** The item as it is this moment. */
export async function freshItem(id: string): Promise<MediaItem> {
  return (await answer(api.GET("/media/{id}", { params: { path: { id }, query: { includeUsage: "1" } } }))).item;
}

export const usageKey = (id: string) => [...MEDIA_KEY, "usage", id];

export function usagePage(id: string, cursor: string | undefined, signal: AbortSignal) {
  return answer(api.GET("/media/{id}/usage", { params: { path: { id }, query: { limit: 20, ...(cursor ? { cursor } : {}) } }, signal }));
}

export async function change(id: string, body: MediaChange): Promise<MediaItem> {
  return (await answer(api.PUT("/media/{id}", { params: { path: { id } }, body }))).item;
}

/** Deletes an item; with `ifUnused` only as long as nothing shows it. */
export async function remove(id: string, ifUnused: boolean): Promise<void> {
  await answer(api.DELETE("/media/{id}", { params: { path: { id }, query: ifUnused ? { ifUnused } : {} } }));
}

/** Has all that is kept of lists asked for anew. */
export async function mediaChanged(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: MEDIA_KEY });
}
