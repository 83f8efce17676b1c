// What a reference can lead to.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

/** An entry to choose. */
export interface Choice {
  id: string;
  label: string;
}

export const collections = queryOptions({
  queryKey: ["collections"],
  queryFn: () => answer(api.GET("/schema/collections")).then(({ items }) => items),
  staleTime: 60_000,
});

/** The name of an entry that somebody knows only the data of. */
export function labelOf({ id, slug, data }: { id: string; slug: string | null; data: Record<string, unknown> }, titleField?: string | null): string {
  const title = [titleField ?? "", "title", "name"].map((name) => data[name]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof title === "string" ? title : (slug ?? id);
}

/** The newest entries of a collection. */
export const choices = (collection: string) =>
  queryOptions({
    queryKey: ["content", collection, "choices"],
    queryFn: async (): Promise<Choice[]> => {
      const { items } = await answer(api.GET("/content/{collection}", { params: { path: { collection }, query: { limit: 100, orderBy: "updatedAt" } } }));
      return items.map((item) => ({ id: item.id, label: labelOf(item) }));
    },
    staleTime: 30_000,
  });
