// What the editor asks for.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { collection } from "~/content/collections";

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
