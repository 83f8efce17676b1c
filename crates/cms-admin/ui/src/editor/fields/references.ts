// What a reference leads to.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { collection as model } from "~/content/collections";
import { optionOf, type EntryOption } from "~/content/entrySource";

/** An entry by its id; one that is gone is known by it alone. */
export const referred = (collection: string, id: string) =>
  queryOptions({
    queryKey: ["content", collection, id, "name"],
    queryFn: async ({ client }): Promise<EntryOption> => {
      const known = await client.query({ ...model(collection), staleTime: "static" });
      const { item } = await answer(api.GET("/content/{collection}/{id}", { params: { path: { collection, id } } }));
      return optionOf(known, item);
    },
    staleTime: 30_000,
  });
