// How an entry stands, in words.

import { Trans, useLingui } from "@lingui/react/macro";

import type { Entry } from "~/api/types";
import { State } from "~/table/State";
import { useFormat } from "~/lib/format";

/** How an entry stands: published, published with changes that wait, scheduled, draft. */
export function EntryStatus({ entry }: { entry: Pick<Entry, "status" | "hasDraft" | "scheduledAt" | "scheduleFailure"> }) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const { status, hasDraft, scheduledAt, scheduleFailure } = entry;
  if (scheduleFailure) {
    return (
      <span title={scheduleFailure.lastError}>
        <State tone="bad">
          <Trans>Scheduling failed</Trans>
        </State>
      </span>
    );
  }
  const due = scheduledAt && dateTime(scheduledAt);
  if (status === "scheduled") {
    return (
      <span title={due ? t`Will be published ${due}` : undefined}>
        <State tone="accent">
          <Trans>Scheduled</Trans>
        </State>
      </span>
    );
  }
  if (status === "draft") {
    return (
      <State>
        <Trans>Draft</Trans>
      </State>
    );
  }
  if (!hasDraft) {
    return (
      <State tone="good">
        <Trans>Published</Trans>
      </State>
    );
  }
  return (
    <span title={due ? t`The changes will be published ${due}` : t`There are changes that are not published`}>
      <State tone="accent">{due ? <Trans>Published, update scheduled</Trans> : <Trans>Published, edited since</Trans>}</State>
    </span>
  );
}
