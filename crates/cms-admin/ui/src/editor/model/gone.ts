// What became of an entry that is not where it was.

import { answer, api } from "~/api/client";
import type { TrashedEntry } from "~/api/types";

/** An entry in the trash; `trashed` is none where it was deleted for ever. */
export interface Gone {
  trashed: TrashedEntry | undefined;
}

/** How many entries of the trash are looked at at once, and how often at most: it has the last one that was moved there first. */
const PAGE = 100;
const MOST_PAGES = 10;

export async function fateOf(collection: string, id: string): Promise<Gone> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { limit: PAGE, ...(cursor ? { cursor } : {}) };
    const { items, nextCursor } = await answer(api.GET("/content/{collection}/trash", { params: { path: { collection }, query } }));
    const trashed = items.find((entry) => entry.id === id);
    if (trashed || !nextCursor) return { trashed };
    cursor = nextCursor;
  }
  return { trashed: undefined };
}
