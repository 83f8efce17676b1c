// The collections of the site, as everybody needs them who lists or edits entries.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Collection } from "~/api/types";
import { useCan } from "~/session/session";

/** Every collection, in the order of the navigation, without its fields. */
export const collections = queryOptions({
  queryKey: ["collections"],
  queryFn: () => answer(api.GET("/models")).then(({ items }) => items),
  staleTime: 60_000,
});

/** One collection with its fields. */
export const collection = (slug: string) =>
  queryOptions({
    queryKey: ["collections", slug],
    queryFn: () => answer(api.GET("/models/{slug}", { params: { path: { slug } } })).then(({ item }) => item),
    staleTime: 60_000,
  });

/** The collections that the navigation shows to whoever is signed in; none until they are known. */
export function useShownCollections(): Collection[] {
  const can = useCan();
  const { data } = useQuery({ ...collections, enabled: can("content:read_drafts") });
  return data?.filter(({ hidden }) => !hidden) ?? [];
}
