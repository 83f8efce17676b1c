// How an entry stands, in words: in lists, and in the editor.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";

import type { Entry } from "~/api/types";
import type { Tone } from "~/components/Badge";
import { State } from "~/table/State";

import { useSiteTime } from "./plan";

/** A published entry may have changes that wait (`changed`), or that are to be published later (`planned`). */
export type Status = "new" | "draft" | "scheduled" | "published" | "changed" | "planned" | "failed";

/** What says how an entry stands. The list of all collections does not know of schedules that failed. */
type Standing = Pick<Entry, "status" | "hasDraft" | "scheduledAt"> & Partial<Pick<Entry, "scheduleFailure">>;

export const STATUSES: Record<Status, { label: MessageDescriptor; tone: Tone }> = {
  new: { label: msg`New`, tone: "neutral" },
  draft: { label: msg`Draft`, tone: "neutral" },
  scheduled: { label: msg`Scheduled`, tone: "accent" },
  published: { label: msg`Published`, tone: "good" },
  changed: { label: msg`Published, edited since`, tone: "accent" },
  planned: { label: msg`Published, update scheduled`, tone: "accent" },
  failed: { label: msg`Scheduling failed`, tone: "bad" },
};

/** How an entry stands; one that is not there yet is new. */
export function statusOf(entry: Standing | undefined): Status {
  if (!entry) return "new";
  if (entry.scheduleFailure) return "failed";
  if (entry.status !== "published" || !entry.hasDraft) return entry.status;
  return entry.scheduledAt ? "planned" : "changed";
}

/** How an entry stands, in a list. */
export function EntryStatus({ entry }: { entry: Standing }) {
  const { t, i18n } = useLingui();
  const siteTime = useSiteTime();
  const status = statusOf(entry);
  const { label, tone } = STATUSES[status];
  const due = entry.scheduledAt && siteTime(entry.scheduledAt);
  const more: Partial<Record<Status, string | undefined>> = {
    scheduled: due ? t`Will be published ${due}` : undefined,
    changed: t`There are unpublished changes`,
    planned: due ? t`The changes will be published ${due}` : undefined,
    failed: entry.scheduleFailure?.lastError,
  };
  return (
    <span title={more[status]}>
      <State tone={tone}>{i18n._(label)}</State>
    </span>
  );
}
