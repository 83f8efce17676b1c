// What the screens of the model ask for.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { components } from "~/api/schema";
import type { Collection } from "~/api/types";
import { collection } from "~/content/collections";

import { exportedKey } from "./change";

export type Exported = components["schemas"]["ExportedCollection"];

/** Every collection with its fields, for what is said of all of them. */
export const exported = queryOptions({
  queryKey: exportedKey,
  queryFn: () => answer(api.GET("/schema")).then((model) => ("collections" in model ? model.collections : [])),
});

/** How often is looked how far an index is, in milliseconds. */
const LOOK = 1_000;

/** A collection with its fields, followed while something of it is being made. */
export function useModel(slug: string) {
  return useQuery({ ...collection(slug), staleTime: 0, refetchInterval: ({ state }) => (state.data && isBuilding(state.data) ? LOOK : false) });
}

/** Whether an index, or the register of a unique field, is being made. */
function isBuilding({ fields, indexes }: Collection): boolean {
  return indexes.some(({ state }) => state === "building") || (fields ?? []).some(({ index, uniqueState }) => index?.state === "building" || uniqueState === "building");
}

/** A field that refers to a collection, by where it is. */
export interface Referrer {
  collection: Exported;
  field: NonNullable<Exported["fields"]>[number];
}

/** The fields of other collections that refer to one. Those that refer to entries of any collection are not among them. */
export function referrersOf(slug: string, all: Exported[]): Referrer[] {
  return all
    .filter((other) => other.slug !== slug)
    .flatMap((collection) => collection.fields.filter(({ type, options }) => type === "reference" && options.collection === slug).map((field) => ({ collection, field })));
}
