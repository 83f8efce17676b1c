// The entries of a collection, for whoever chooses some of them.

import { answer, api } from "~/api/client";
import type { Collection, Entry } from "~/api/types";
import type { Option, Source } from "~/components/picker/source";

import { searchedField, titleIn } from "./titleField";

/** An entry that can be chosen, with what its address is made of and whether it is public. */
export type EntryOption = Option & Pick<Entry, "slug" | "locale" | "status">;

/** An entry as it is chosen: by its title, or by whatever else it is known by. */
export function optionOf(collection: Collection, { id, slug, locale, status, data }: Pick<Entry, "id" | "slug" | "locale" | "status" | "data">): EntryOption {
  return { id, slug, locale, status, label: titleIn(collection, data) ?? slug ?? id, hint: locale };
}

/** How many entries are asked for at once. */
const LIMIT = 50;

/** The entries of a collection, those that changed last first, or those whose title has what is typed, where the database can look for it. */
export function entrySource(collection: Collection | undefined, limit = LIMIT): Source<EntryOption> {
  const searched = collection && searchedField(collection);
  return {
    key: ["entries", collection?.slug, searched?.slug, limit],
    load: async ({ text, cursor, signal }) => {
      if (!collection) return { items: [] };
      const asked = searched && text !== "" ? { fieldFilters: JSON.stringify({ [searched.slug]: { contains: text } }) } : { orderBy: "updatedAt" };
      const query = { ...asked, limit, ...(cursor ? { cursor } : {}) };
      const { items, nextCursor } = await answer(api.GET("/content/{collection}", { params: { path: { collection: collection.slug }, query }, signal }));
      return { items: items.map((item) => optionOf(collection, item)), nextCursor };
    },
  };
}
