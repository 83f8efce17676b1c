// What a reference can lead to.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { Option, Source } from "~/components/picker/source";

import { model } from "../queries";
import { titleFieldOf } from "../model/slug";
import type { Item } from "../model/values";

/** The name of an entry that somebody knows only the data of. */
export function labelOf({ id, slug, data }: Pick<Item, "id" | "slug" | "data">, titleField?: string): string {
  const title = [titleField ?? "", "title", "name"].map((name) => data[name]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof title === "string" ? title : (slug ?? id);
}

const optionOf = (item: Item, titleField?: string): Option => ({ id: item.id, label: labelOf(item, titleField), hint: item.locale });

/** An entry by its id; one that is gone is known by it alone. */
export const referred = (collection: string, id: string) =>
  queryOptions({
    queryKey: ["content", collection, id, "name"],
    queryFn: async ({ client }): Promise<Option> => {
      const { fields, collection: known } = await client.query({ ...model(collection), staleTime: "static" });
      const { item } = await answer(api.GET("/content/{collection}/{id}", { params: { path: { collection, id } } }));
      return optionOf(item, titleFieldOf(known, fields)?.slug);
    },
    staleTime: 30_000,
  });

/** How many entries are asked for at once. */
const LIMIT = 50;

/** The entries of a collection, the newest first, and those whose title contains what is typed. */
export function entriesOf(collection: string, titleField: string | undefined): Source<Option> {
  return {
    key: ["content", collection],
    load: async ({ text, cursor, signal }) => {
      const filters = text !== "" && titleField ? { [titleField]: { contains: text } } : undefined;
      const query = { limit: LIMIT, ...(cursor ? { cursor } : {}), ...(filters ? { fieldFilters: JSON.stringify(filters) as never } : { orderBy: "updatedAt" }) };
      const { items, nextCursor } = await answer(api.GET("/content/{collection}", { params: { path: { collection }, query }, signal }));
      return { items: items.map((item) => optionOf(item, titleField)), nextCursor };
    },
  };
}
