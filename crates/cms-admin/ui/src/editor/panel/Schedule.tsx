// Publishing later, by itself: set, moved and taken back in one place.

import { Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock } from "lucide-react";
import { useId, useState } from "react";

import { messageOf } from "~/api/errors";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { toast } from "~/components/toast";
import { useFormat } from "~/lib/format";

import { LINE } from "../fields/control";
import { instantOf, localOf, zoneName } from "../fields/zone";
import { useItem } from "../model/context";
import type { Actions } from "../model/actions";

/** Times that people often mean, from now on. */
function presets(now: Date): { id: "hour" | "tomorrow" | "monday"; at: Date }[] {
  const hour = new Date(now.getTime() + 3_600_000);
  hour.setMinutes(0, 0, 0);
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ((8 - now.getDay()) % 7 || 7), 9);
  return [
    { id: "hour", at: hour },
    { id: "tomorrow", at: tomorrow },
    { id: "monday", at: monday },
  ];
}

export function Schedule({ actions, isAllowed, onRefused }: { actions: Actions; isAllowed: boolean; onRefused: () => void }) {
  const { t, i18n } = useLingui();
  const { dateTime } = useFormat();
  const item = useItem();
  const id = useId();
  const scheduledAt = item?.scheduledAt ?? undefined;
  const failure = item?.scheduleFailure;
  const [isOpen, setOpen] = useState(false);
  const [local, setLocal] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const names = { hour: t`In an hour`, tomorrow: t`Tomorrow at 9`, monday: t`Monday at 9` };

  function begin() {
    setLocal(localOf(scheduledAt ?? presets(new Date())[1]?.at ?? new Date()));
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
    const at = new Date(local);
    const isGiven = !Number.isNaN(at.getTime());
    if (!isGiven || at <= new Date()) {
      setProblem(isGiven ? t`That time has passed. Choose a later one.` : t`Choose a date and a time.`);
      return;
    }
    const time = dateTime(at);
    void run(() => actions.schedule(instantOf(local)), t`Scheduled for ${time}`);
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
          <label htmlFor={id} className="font-medium">
            <Trans>Publish at</Trans>
          </label>
          <input id={id} type="datetime-local" className={LINE} min={localOf(new Date())} value={local} aria-describedby={`${id}-zone`} onChange={(event) => setLocal(event.target.value)} />
          <p id={`${id}-zone`} className="text-sm text-muted">
            <Trans>Times are in {zoneName(i18n.locale, local ? instantOf(local) : undefined)}.</Trans>
          </p>
          <div className="flex flex-wrap gap-1.5">
            {presets(new Date()).map(({ id, at }) => (
              <Button key={id} size="sm" onClick={() => setLocal(localOf(at))}>
                {names[id]}
              </Button>
            ))}
          </div>
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
