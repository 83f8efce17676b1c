// The cards for whoever runs the site: whether its servers are well, and the work that goes on or failed.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, ListChecks, Server } from "lucide-react";

import type { Job, Task } from "~/api/types";
import { isOpen, jobs, tasks } from "~/jobs/useJobs";
import { useName } from "~/jobs/useName";
import { HEALTH, STATES, TASKS } from "~/jobs/words";
import { useFormat } from "~/lib/format";
import { State } from "~/table/State";

import { DashboardCard, MORE, Quiet, Told } from "./parts";
import { SHOWN } from "./queries";

/** How often the servers are asked after, and jobs that go on, in milliseconds. */
const [HEALTH_EVERY, JOBS_EVERY] = [60_000, 5_000];

function JobsLink() {
  return (
    <Link to="/jobs" className={MORE}>
      <Trans>Jobs and tasks</Trans>
    </Link>
  );
}

const LINE = "flex items-start gap-3 px-5 py-2.5";

export function HealthCard() {
  const { t } = useLingui();
  const query = useQuery({ ...tasks, refetchInterval: HEALTH_EVERY });
  return (
    <DashboardCard id="health" title={<Trans>Site health</Trans>} more={<JobsLink />}>
      <Told query={query}>
        {(all) => {
          const sick = all.filter(({ health }) => health !== "well");
          const servers = new Set(all.flatMap(({ node }) => (node ? [node] : []))).size;
          if (all.length === 0) {
            return (
              <Quiet icon={<Server aria-hidden />}>
                <Trans>No server has reported yet.</Trans>
              </Quiet>
            );
          }
          if (sick.length === 0) {
            return (
              <Quiet icon={<CircleCheck aria-hidden className="text-good" />}>
                <Plural value={servers} one="The server is well, and so are its tasks." other="All # servers are well, and so are their tasks." />
              </Quiet>
            );
          }
          return (
            <ul aria-label={t`Tasks that need somebody`} className="divide-y divide-line border-t border-line">
              {sick.slice(0, SHOWN).map((task) => (
                <SickTask key={`${task.node} ${task.name}`} task={task} />
              ))}
            </ul>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

function SickTask({ task: { name, health, lastError, lastSucceededAt } }: { task: Task }) {
  const { i18n } = useLingui();
  const { relative } = useFormat();
  const words = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  const last = lastSucceededAt && relative(lastSucceededAt);
  return (
    <li className={LINE}>
      <span className="min-w-0 grow">
        <span className="block truncate font-medium">{words ? i18n._(words) : name}</span>
        {lastError && <span className="line-clamp-2 text-sm wrap-anywhere text-bad">{lastError}</span>}
        {last && (
          <span className="block text-sm text-muted">
            <Trans>It last went well {last}.</Trans>
          </span>
        )}
      </span>
      <span className="shrink-0 text-sm">
        <State tone={HEALTH[health].tone}>{i18n._(HEALTH[health].words)}</State>
      </span>
    </li>
  );
}

export function JobsCard() {
  const { t } = useLingui();
  const query = useQuery({ ...jobs, refetchInterval: ({ state }) => (state.data?.some(isOpen) ? JOBS_EVERY : false) });
  return (
    <DashboardCard id="jobs" title={<Trans>Jobs</Trans>} more={<JobsLink />}>
      <Told query={query}>
        {(all) => {
          const shown = [...all.filter(({ state }) => state === "failed"), ...all.filter(isOpen)];
          return shown.length === 0 ? (
            <Quiet icon={<ListChecks aria-hidden />}>
              <Trans>Nothing is under way, and nothing failed.</Trans>
            </Quiet>
          ) : (
            <ul aria-label={t`Jobs that failed or go on`} className="divide-y divide-line border-t border-line">
              {shown.slice(0, SHOWN).map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </ul>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

function JobLine({ job }: { job: Job }) {
  const { i18n } = useLingui();
  const { relative, percent } = useFormat();
  const name = useName();
  const { state, done, total, error } = job;
  return (
    <li className={LINE}>
      <span className="min-w-0 grow">
        <span className="block truncate font-medium">{name(job)}</span>
        {error && <span className="line-clamp-2 text-sm wrap-anywhere text-bad">{error}</span>}
        <span className="block text-sm text-muted">{relative(job.finishedAt ?? job.startedAt ?? job.createdAt)}</span>
      </span>
      <span className="shrink-0 text-sm">
        <State tone={STATES[state].tone}>
          {i18n._(STATES[state].words)}
          {state === "running" && total !== null && total > 0 && ` ${percent(Math.min(done / total, 1))}`}
        </State>
      </span>
    </li>
  );
}
