// What is done to an entry, each as one request over the revision that was seen.

import { answer, api } from "~/api/client";
import { ApiError } from "~/api/errors";
import type { ChangedEntry, Entry, TrashedEntry } from "~/api/types";

/** Something that is done to one entry or to many. */
export type Deed =
  | { kind: "publish" }
  | { kind: "unpublish" }
  | { kind: "trash" }
  | { kind: "schedule"; at: string }
  | { kind: "author"; id: string };

const pathOf = ({ type, id }: Pick<Entry, "type" | "id">) => ({ collection: type, id });

/**
 * The revision of an entry, which lists do not have. Refused when the entry is not the one any more that the list showed: nobody publishes
 * what they have not seen.
 */
async function revOf(entry: Entry): Promise<string | undefined> {
  const { item, _rev } = await answer(api.GET("/content/{collection}/{id}", { params: { path: pathOf(entry), query: { fields: "" } } }));
  if (entry.version !== undefined && item.version !== entry.version) throw new ApiError({ status: 409, code: "CONFLICT", message: "the entry has changed since" });
  return _rev ?? undefined;
}

/** Does something to an entry as it was shown. Throws an `ApiError` when it has changed since, or when the server refuses. */
export async function perform(entry: Entry, deed: Deed): Promise<void> {
  const rev = await revOf(entry);
  if (deed.kind === "trash") await answer(api.DELETE("/content/{collection}/{id}", { params: { path: pathOf(entry), query: rev === undefined ? {} : { _rev: rev } } }));
  else await act(entry, rev, deed);
}

/** Does something to an entry in the state that a revision names. Answers with what came of it. */
export function act(entry: Pick<Entry, "type" | "id">, rev: string | undefined, deed: Exclude<Deed, { kind: "trash" }>): Promise<ChangedEntry> {
  const params = { path: pathOf(entry) };
  const body = { ...(rev === undefined ? {} : { _rev: rev }), overrideLock: false };
  switch (deed.kind) {
    case "publish":
      return answer(api.POST("/content/{collection}/{id}/publish", { params, body }));
    case "unpublish":
      return answer(api.POST("/content/{collection}/{id}/unpublish", { params, body }));
    case "schedule":
      return answer(api.POST("/content/{collection}/{id}/schedule", { params, body: { ...body, scheduledAt: deed.at } }));
    case "author":
      return answer(api.PUT("/content/{collection}/{id}", { params, body: { ...body, skipRevision: false, authorId: deed.id } }));
  }
}

/** Makes a copy, and answers with it. */
export async function duplicate(entry: Entry): Promise<Entry> {
  return (await answer(api.POST("/content/{collection}/{id}/duplicate", { params: { path: pathOf(entry) } }))).item;
}

/** Takes an entry out of the trash. Without a revision it is whatever is there. */
export async function restore(entry: Pick<TrashedEntry, "type" | "id"> & { _rev?: string }): Promise<void> {
  const body = { ...(entry._rev ? { _rev: entry._rev } : {}), overrideLock: false };
  await answer(api.POST("/content/{collection}/{id}/restore", { params: { path: pathOf(entry) }, body }));
}

/** Removes an entry that is in the trash, for ever. */
export async function deleteForEver(entry: TrashedEntry): Promise<void> {
  await answer(api.DELETE("/content/{collection}/{id}/permanent", { params: { path: pathOf(entry), query: { _rev: entry._rev } } }));
}
