// What can be done to an entry where publications are planned, and what takes it back.

import type { AnyEntry } from "~/api/types";
import type { Deed } from "~/content/deeds";

/** `end` is when it stops being public, if ever; `undate` takes the publication date away that its first publication gave it. */
export type PlanDeed = Extract<Deed, { kind: "publish" | "unpublish" | "schedule" }> | { kind: "unschedule" } | { kind: "end"; at: string | null } | { kind: "undate" };

/** Whether an entry would be taken off the public site before it is there. */
export function endsFirst({ unpublishAt }: Pick<AnyEntry, "unpublishAt">, deed: PlanDeed): boolean {
  return deed.kind === "schedule" && unpublishAt !== null && Date.parse(unpublishAt) <= Date.parse(deed.at);
}

/**
 * What brings an entry back to how it was before something was done, one after the other. Nothing where that cannot be: changes that were published, or that
 * became the only content there is, are not told apart from it any more.
 */
export function stepsBack(before: AnyEntry, { kind }: PlanDeed, mayDate: boolean): PlanDeed[] | undefined {
  const { status, hasDraft, scheduledAt, unpublishAt, publishedAt } = before;
  const begin: PlanDeed[] = scheduledAt === null ? [] : [{ kind: "schedule", at: scheduledAt }];
  const end: PlanDeed[] = unpublishAt === null ? [] : [{ kind: "end", at: unpublishAt }];
  // Nobody would expect a publication that was taken back to date the one that is still to come.
  const undated: PlanDeed[] = publishedAt === null && mayDate ? [{ kind: "undate" }] : [];
  switch (kind) {
    case "publish":
      return status === "published" ? undefined : [{ kind: "unpublish" }, ...undated, ...begin, ...end];
    case "unpublish":
      return hasDraft ? undefined : [{ kind: "publish" }, ...begin, ...end];
    case "schedule":
      return scheduledAt === null ? [{ kind: "unschedule" }] : begin;
    case "unschedule":
      // Of what was not public, the end went with it.
      return status === "scheduled" ? [...begin, ...end] : begin;
    case "end":
      return [{ kind: "end", at: unpublishAt }];
    case "undate":
      return undefined;
  }
}
