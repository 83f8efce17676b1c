// The languages of a collection's entries, as far as its list tells: the server does not say which ones a site has.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Entry } from "~/api/types";

import { listKey } from "./entries";

/** The first and the last language in their order: two when there are several. */
const ends = (collection: string) =>
  queryOptions({
    queryKey: [...listKey(collection), "locales"],
    queryFn: async ({ signal }) => {
      const end = async (order: "asc" | "desc") => {
        const query = { orderBy: "locale", order, limit: 1, fields: "" };
        return (await answer(api.GET("/content/{collection}", { params: { path: { collection }, query }, signal }))).items[0]?.locale;
      };
      const both = await Promise.all([end("asc"), end("desc")]);
      return [...new Set(both.filter((locale) => locale !== undefined))];
    },
    staleTime: 60_000,
  });

/** The languages that are known, in their order; `rows` may have others than the first and the last. */
export function useLocales(collection: string, rows: readonly Entry[]): string[] {
  const { data = [] } = useQuery(ends(collection));
  return [...new Set([...data, ...rows.map(({ locale }) => locale)])].sort();
}
