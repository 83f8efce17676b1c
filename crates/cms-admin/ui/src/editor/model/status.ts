// Where an entry stands, in a word.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

import type { Tone } from "~/components/Badge";

import type { Item } from "./values";

export type Status = "new" | "draft" | "published" | "changed" | "scheduled";

export function statusOf(item: Item | undefined): Status {
  if (!item) return "new";
  if (item.status === "published") return item.hasDraft ? "changed" : "published";
  return item.status === "scheduled" ? "scheduled" : "draft";
}

export const STATUSES: Record<Status, { label: MessageDescriptor; tone: Tone }> = {
  new: { label: msg`New`, tone: "neutral" },
  draft: { label: msg`Draft`, tone: "neutral" },
  published: { label: msg`Published`, tone: "good" },
  changed: { label: msg`Published, with changes`, tone: "accent" },
  scheduled: { label: msg`Scheduled`, tone: "warn" },
};
