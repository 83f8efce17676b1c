// Publishing and unpublishing later, by themselves: set, moved and taken back in one place.

import { Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock, CalendarX } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { DateTimeField } from "~/components/DateTimeField";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { usePlanProblem, useSiteTime } from "~/content/plan";
import { useTimeZone } from "~/content/site";

import type { Actions } from "../model/actions";
import { useItem } from "../model/context";

interface ScheduleProps {
  actions: Actions;
  isAllowed: boolean;
  onRefused: () => void;
}

export function Schedule({ actions, isAllowed, onRefused }: ScheduleProps) {
  const { t } = useLingui();
  const siteTime = useSiteTime();
  const item = useItem();
  const { scheduledAt = null, unpublishAt = null, scheduleFailure: failure } = item ?? {};
  const [begin, end] = [scheduledAt, unpublishAt].map((at) => (at === null ? "" : siteTime(at)));
  // What is public is published later only where something waits for it.
  const canBegin = isAllowed && (item?.status !== "published" || item.hasDraft === true);
  const tried = failure?.nextAttemptAt ? siteTime(failure.nextAttemptAt) : undefined;
  return (
    <div className="grid gap-2.5">
      <Plan
        at={scheduledAt}
        icon={<CalendarClock aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />}
        says={<Trans>Scheduled for {begin}</Trans>}
        offers={scheduledAt ? <Trans>Reschedule</Trans> : <Trans>Schedule for later</Trans>}
        clears={<Trans>Unschedule</Trans>}
        label={<Trans>Publish at</Trans>}
        sets={<Trans>Schedule</Trans>}
        onSet={(at) => actions.schedule(at)}
        toldSet={(time) => t`Scheduled for ${time}`}
        onClear={actions.unschedule}
        toldCleared={t`No longer scheduled`}
        isAllowed={canBegin}
        onRefused={onRefused}
      />
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
      {item && item.status !== "draft" && (
        <Plan
          at={unpublishAt}
          after={scheduledAt}
          icon={<CalendarX aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />}
          says={<Trans>Will be unpublished on {end}</Trans>}
          offers={unpublishAt ? <Trans>Change when to unpublish</Trans> : <Trans>Unpublish later</Trans>}
          clears={<Trans>Keep published</Trans>}
          label={<Trans>Unpublish at</Trans>}
          sets={<Trans>Save</Trans>}
          onSet={(at) => actions.end(at)}
          toldSet={(time) => t`Will be unpublished on ${time}`}
          onClear={() => actions.end(null)}
          toldCleared={t`Stays published`}
          {...{ isAllowed, onRefused }}
        />
      )}
    </div>
  );
}

interface PlanProps {
  /** The instant that is planned. */
  at: string | null;
  /** What it must be later than, besides now. */
  after?: string | null;
  icon: ReactNode;
  /** What is planned. */
  says: ReactNode;
  /** Offers to plan it, or to plan it anew. */
  offers: ReactNode;
  /** Offers to plan it no more. */
  clears: ReactNode;
  /** What the instant is called. */
  label: ReactNode;
  sets: ReactNode;
  onSet: (at: string) => Promise<boolean>;
  toldSet: (time: string) => string;
  onClear: () => Promise<boolean>;
  toldCleared: string;
  isAllowed: boolean;
  onRefused: () => void;
}

/** Something that happens by itself at an instant. */
function Plan({ at: planned, after = null, icon, says, offers, clears, label, sets, onSet, toldSet, onClear, toldCleared, isAllowed, onRefused }: PlanProps) {
  const siteTime = useSiteTime();
  const problemOf = usePlanProblem();
  const zone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<string | null>(null);
  const [isUnread, setUnread] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const offer = useRef<HTMLButtonElement>(null);
  const hasActed = useRef(false);

  // What was pressed may be gone when it is done: the keyboard goes on at what stands in its place.
  useEffect(() => {
    if (isOpen || !hasActed.current) return;
    hasActed.current = false;
    if (document.activeElement === null || document.activeElement === document.body) offer.current?.focus();
  }, [isOpen, planned]);

  function begin() {
    setAt(planned);
    setProblem(undefined);
    setOpen(true);
  }

  async function run(work: () => Promise<boolean>, done: string) {
    hasActed.current = true;
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

  function set() {
    // What cannot be read the field says itself.
    if (isUnread) return;
    const problem = problemOf(at, after);
    if (problem !== undefined || at === null) setProblem(problem);
    else void run(() => onSet(at), toldSet(siteTime(at)));
  }

  return (
    <>
      {planned !== null && (
        <p className="flex items-start gap-2">
          {icon}
          <span>{says}</span>
        </p>
      )}
      {!isOpen && isAllowed && (
        <div className="flex flex-wrap gap-2">
          <Button ref={offer} size="sm" icon={<CalendarClock />} onClick={begin}>
            {offers}
          </Button>
          {planned !== null && (
            <Button size="sm" variant="ghost" pending={isPending} onClick={() => void run(onClear, toldCleared)}>
              {clears}
            </Button>
          )}
        </div>
      )}
      {isOpen && (
        <div className="grid gap-2.5 rounded-md border border-line bg-sunken p-3">
          <DateTimeField autoFocus kind="datetime" label={label} zone={zone} value={at} onChange={setAt} onProblem={(problem) => setUnread(problem !== undefined)} />
          {problem && (
            <p role="alert" className="text-sm text-bad">
              {problem}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button size="sm" variant="primary" pending={isPending} onClick={set}>
              {sets}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                hasActed.current = true;
                setOpen(false);
              }}
            >
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
    </>
  );
}
