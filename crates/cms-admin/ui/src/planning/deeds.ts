// What is done to an entry where publications are planned, each over the state that was seen.

import type { QueryClient } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { AnyEntry, ChangedEntry } from "~/api/types";
import { collection } from "~/content/collections";
import { act } from "~/content/deeds";
import { titleField, titleIn } from "~/content/titleField";

import type { PlanDeed } from "./steps";

/** Does something to an entry as it was shown, and answers with what it is then. Throws an `ApiError` when it has changed since, or when the server refuses. */
export async function perform(entry: AnyEntry, deed: PlanDeed): Promise<AnyEntry> {
  return afterwards(entry, await send(entry, deed));
}

function send({ type, id, _rev }: AnyEntry, deed: PlanDeed): Promise<ChangedEntry> {
  const params = { path: { collection: type, id } };
  const body = { _rev, overrideLock: false };
  switch (deed.kind) {
    case "unschedule":
      return answer(api.DELETE("/content/{collection}/{id}/schedule", { params: { ...params, query: body } }));
    case "end":
      return answer(api.PUT("/content/{collection}/{id}/unpublish-at", { params, body: { ...body, unpublishAt: deed.at } }));
    case "undate":
      return answer(api.PUT("/content/{collection}/{id}", { params, body: { ...body, publishedAt: null, skipRevision: true } }));
    default:
      return act({ type, id }, _rev, deed);
  }
}

/** An entry with what an answer says of it. What it is called is not in there. */
function afterwards(entry: AnyEntry, { item, _rev }: ChangedEntry): AnyEntry {
  const { slug, status, authorId, locale, updatedAt, publishedAt, hasDraft = false, scheduledAt = null, unpublishAt = null } = item;
  return { ...entry, slug, status, authorId, locale, updatedAt, publishedAt, hasDraft, scheduledAt, unpublishAt, _rev: _rev ?? entry._rev };
}

/** An entry as it is now; nothing where it is gone. */
export async function fresh(queries: QueryClient, entry: AnyEntry): Promise<AnyEntry | undefined> {
  const { type, id } = entry;
  try {
    const model = await queries.query(collection(type));
    const fields = titleField(model)?.slug ?? "";
    const found = await answer(api.GET("/content/{collection}/{id}", { params: { path: { collection: type, id }, query: { fields } } }));
    return { ...afterwards(entry, found), title: titleIn(model, found.item.data) ?? null };
  } catch (error) {
    if (isCode(error, "NOT_FOUND", "COLLECTION_NOT_FOUND")) return undefined;
    throw error;
  }
}
