// How far a job is, in words and as a bar.

import { Trans, useLingui } from "@lingui/react/macro";

import type { Job } from "~/api/types";
import { useFormat } from "~/lib/format";
import { State as Standing } from "~/table/State";

import { STATES } from "./words";
import { useName } from "./useName";

export function State({ state }: { state: Job["state"] }) {
  const { i18n } = useLingui();
  const { words, tone } = STATES[state];
  return <Standing tone={tone}>{i18n._(words)}</Standing>;
}

/** Drawn by us, since the browser's own ignores the theme. */
export const BAR =
  "h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent";

/** How far a job is. */
export function Progress({ job }: { job: Job }) {
  const { number, relative } = useFormat();
  const name = useName()(job);
  const [done, total] = [number(job.done), job.total === null ? undefined : number(job.total)];
  const failed = job.failedItems;
  const next = job.nextAttemptAt && relative(job.nextAttemptAt);
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{name}</span>
        <State state={job.state} />
        <span className="text-sm text-muted">{total === undefined ? done : <Trans>{done} of {total}</Trans>}</span>
        {failed > 0 && (
          <span className="text-sm text-bad">
            <FailedItems count={failed} />
          </span>
        )}
      </div>
      <progress aria-label={name} className={BAR} max={job.total ?? undefined} value={job.total === null ? undefined : job.done} />
      {job.note && <p className="text-sm wrap-anywhere text-muted">{job.note}</p>}
      {job.error && <p className="text-sm wrap-anywhere text-bad">{job.error}</p>}
      {next && (
        <p className="text-sm text-muted">
          <Trans>Next attempt {next}.</Trans>
        </p>
      )}
    </div>
  );
}

export function FailedItems({ count }: { count: number }) {
  const { number } = useFormat();
  const shown = number(count);
  return <Trans>{shown} failed</Trans>;
}
