// The same done to many entries: a job of the server does it, which goes on when the page is left.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { BulkChange, BulkOrder } from "~/api/types";

import type { Deed } from "./deeds";
import { namedBy, type Which } from "./named";

/** How long to wait until the next look at how far it is, in milliseconds: a bar that moves twice a second seems to flow. */
const LOOK_AGAIN = 500;

/** Has something done to everything that is selected. Answers with the job that does it. */
export async function begin(collection: string, deed: Deed, which: Which): Promise<string> {
  const body = { ...actionOf(deed), ...namedBy(which), overrideLock: false };
  return (await answer(api.POST("/content/{collection}/bulk", { params: { path: { collection } }, body }))).job;
}

/** Has taken back what a bulk change did. Answers with the job that does it. */
export async function beginUndo(id: string): Promise<string> {
  return (await answer(api.POST("/bulk/{id}/undo", { params: { path: { id } }, body: { overrideLock: false } }))).job;
}

/** Has no more entries changed than were until now. */
export async function stop(id: string): Promise<void> {
  await answer(api.POST("/bulk/{id}/cancel", { params: { path: { id } } }));
}

export const isOver = ({ state }: Pick<BulkChange, "state">) => state === "done" || state === "failed" || state === "cancelled";

/** A bulk change, followed until it is over. */
export const bulkChange = (id: string) =>
  queryOptions({
    queryKey: ["bulk", id],
    queryFn: () => answer(api.GET("/bulk/{id}", { params: { path: { id } } })).then(({ item }) => item),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_AGAIN),
    refetchIntervalInBackground: true,
  });

function actionOf(deed: Deed): Pick<BulkOrder, "action" | "scheduledAt" | "authorId"> {
  switch (deed.kind) {
    case "schedule":
      return { action: "schedule", scheduledAt: deed.at };
    case "author":
      return { action: "set_author", authorId: deed.id };
    default:
      return { action: deed.kind };
  }
}
