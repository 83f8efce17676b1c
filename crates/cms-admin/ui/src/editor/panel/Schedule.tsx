// Publishing later, by itself: set, moved and taken back in one place.

import { Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock } from "lucide-react";
import { useState } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { DateTimeField } from "~/components/DateTimeField";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { useTimeZone } from "~/content/site";
import { useFormat } from "~/lib/format";

import { useItem } from "../model/context";
import type { Actions } from "../model/actions";

export function Schedule({ actions, isAllowed, onRefused }: { actions: Actions; isAllowed: boolean; onRefused: () => void }) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const item = useItem();
  const zone = useTimeZone();
  const scheduledAt = item?.scheduledAt ?? undefined;
  const failure = item?.scheduleFailure;
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<string | null>(null);
  const [isUnread, setUnread] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);

  function begin() {
    setAt(scheduledAt ?? null);
    setProblem(undefined);
    setOpen(true);
  }

  async function run(work: () => Promise<boolean>, done: string) {
    setPending(true);
    setProblem(undefined);
    try {
      if (await work()) {
        setOpen(false);
        toast.good(done);
      } else onRefused();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  function schedule() {
    // What cannot be read the field says itself.
    if (isUnread) return;
    if (at === null || new Date(at) <= new Date()) {
      setProblem(at === null ? t`Choose a date and a time.` : t`That time has passed. Choose a later one.`);
      return;
    }
    const time = dateTime(at);
    void run(() => actions.schedule(at), t`Scheduled for ${time}`);
  }

  const time = scheduledAt && dateTime(scheduledAt);
  const tried = failure?.nextAttemptAt ? dateTime(failure.nextAttemptAt) : undefined;
  return (
    <div className="grid gap-2.5">
      {time && (
        <p className="flex items-start gap-2">
          <CalendarClock aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <span>
            <Trans>Scheduled for {time}</Trans>
          </span>
        </p>
      )}
      {failure && (
        <Notice tone="bad" title={<Trans>It could not be published on time</Trans>}>
          <p>{failure.lastError}</p>
          {tried && (
            <p>
              <Trans>The next try is on {tried}.</Trans>
            </p>
          )}
        </Notice>
      )}
      {!isOpen && isAllowed && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={<CalendarClock />} onClick={begin}>
            {scheduledAt ? <Trans>Reschedule</Trans> : <Trans>Schedule for later</Trans>}
          </Button>
          {scheduledAt && (
            <Button size="sm" variant="ghost" pending={isPending} onClick={() => void run(actions.unschedule, t`No longer scheduled`)}>
              <Trans>Unschedule</Trans>
            </Button>
          )}
        </div>
      )}
      {isOpen && (
        <div className="grid gap-2.5 rounded-md border border-line bg-sunken p-3">
          <DateTimeField kind="datetime" label={<Trans>Publish at</Trans>} zone={zone} value={at} onChange={setAt} onProblem={(problem) => setUnread(problem !== undefined)} />
          {problem && (
            <p role="alert" className="text-sm text-bad">
              {problem}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button size="sm" variant="primary" pending={isPending} onClick={schedule}>
              <Trans>Schedule</Trans>
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setOpen(false)}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        </div>
      )}
      {!isOpen && problem && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
