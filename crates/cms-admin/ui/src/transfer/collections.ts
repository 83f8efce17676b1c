// The collections that content goes into and comes from.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

export interface Collection {
  slug: string;
  label: string;
}

export const collections = queryOptions({
  queryKey: ["collections"],
  queryFn: () => answer(api.GET("/schema/collections")).then(({ items }): Collection[] => items),
});
