// What can be done with an entry where publications are planned, and what moving its card to a column means.

import type { AnyEntry } from "~/api/types";

/** Something that can be done: `end` plans when it is unpublished, and `keep` that it is not. */
export type Offer = "publish" | "schedule" | "unschedule" | "end" | "keep" | "unpublish";

/** Where an entry stands on the board. */
export type Column = AnyEntry["status"];

export const COLUMNS: readonly Column[] = ["draft", "scheduled", "published"];

/** What somebody may do with an entry, and what its collection can. */
export interface Able {
  mayPublish: boolean;
  canSchedule: boolean;
}

/** What is offered for an entry as it stands. */
export function offersOf({ status, hasDraft, scheduledAt, unpublishAt }: Pick<AnyEntry, "status" | "hasDraft" | "scheduledAt" | "unpublishAt">, { mayPublish, canSchedule }: Able): Offer[] {
  if (!mayPublish) return [];
  // What is public is published again only where something waits for it.
  const waits = status !== "published" || hasDraft;
  const offers: [Offer, boolean][] = [
    ["publish", waits],
    ["schedule", waits && canSchedule],
    ["unschedule", scheduledAt !== null],
    ["end", status !== "draft" && canSchedule],
    ["keep", unpublishAt !== null],
    ["unpublish", status === "published"],
  ];
  return offers.flatMap(([offer, isOffered]) => (isOffered ? [offer] : []));
}

/** What brings an entry to another column; nothing where that is not possible. */
export function moveTo(column: Column, { status }: Pick<AnyEntry, "status">, offers: readonly Offer[]): Offer | undefined {
  const offer = MOVES[status][column];
  return offer && offers.includes(offer) ? offer : undefined;
}

/** A public entry whose changes are scheduled stays where it is: public. */
const MOVES: Record<Column, Partial<Record<Column, Offer>>> = {
  draft: { scheduled: "schedule", published: "publish" },
  scheduled: { draft: "unschedule", published: "publish" },
  published: { draft: "unpublish" },
};
