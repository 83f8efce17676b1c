// What the editor asks for.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { collection } from "~/content/collections";

import { newestUntil, type Revision } from "./model/since";
import type { Collection, Field } from "./model/values";

/** A collection with its fields. */
export interface Model {
  collection: Collection;
  fields: Field[];
}

export const model = (slug: string) =>
  queryOptions({
    queryKey: ["collections", slug, "fields"],
    // How long it holds is up to what it is made of, which lists have asked for.
    queryFn: async ({ client }): Promise<Model> => {
      const known = await client.query(collection(slug));
      return { collection: known, fields: known.fields ?? [] };
    },
  });

/** What tabs that are gone left of new entries is kept under this. */
export const LEFT_NEW = ["left-new"];

interface Named {
  collection: string;
  id: string;
}

/** An entry with its revision. */
export const fetchEntry = ({ collection, id, locale }: Named & { locale?: string | undefined }) =>
  answer(api.GET("/content/{collection}/{id}", { params: { path: { collection, id }, query: locale ? { locale } : {} } }));

/** What is published beside what would be. */
export const comparison = ({ collection, id }: Named, version: number) =>
  queryOptions({
    queryKey: ["content", collection, id, "compare", version],
    queryFn: () => answer(api.GET("/content/{collection}/{id}/compare", { params: { path: { collection, id } } })),
  });

export const translations = ({ collection, id }: Named) =>
  queryOptions({
    queryKey: ["content", collection, id, "translations"],
    queryFn: () => answer(api.GET("/content/{collection}/{id}/translations", { params: { path: { collection, id } } })),
  });

/** How many revisions are read at once, and how many pages of them at most: behind so many changes everything is read anew. */
const PAGE = 50;
const MOST_PAGES = 6;

interface Other extends Named {
  /** Its version, by which it is known whether it was saved since. */
  version: number | undefined;
}

/** An entry as it was when another one was saved; none where it was not there yet, or where nobody knows any more. */
export const asOf = ({ collection, id, version }: Other, at: string) =>
  queryOptions({
    queryKey: ["content", collection, id, "as-of", at, version],
    queryFn: async ({ signal }): Promise<Revision | null> => {
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const query = { limit: PAGE, ...(cursor ? { cursor } : {}) };
        const { items, nextCursor } = await answer(api.GET("/content/{collection}/{id}/revisions", { params: { path: { collection, id }, query }, signal }));
        const found = newestUntil(items, at);
        if (found) return found;
        if (!nextCursor) return null;
        cursor = nextCursor;
      }
      return null;
    },
  });
