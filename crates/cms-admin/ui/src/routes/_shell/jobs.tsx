// Jobs: what goes on beside requests, what failed, and how each server is doing.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { History, ListChecks, Server } from "lucide-react";
import type { ReactNode } from "react";

import type { Job, Task } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { EmptyState, Loaded } from "~/components/states";
import { Progress, State } from "~/jobs/Progress";
import { useCommands } from "~/jobs/useCommands";
import { isOpen, tasks, useJobs } from "~/jobs/useJobs";
import { useName } from "~/jobs/useName";
import { HEALTH, TASKS } from "~/jobs/words";
import { useFormat } from "~/lib/format";
import { Needs } from "~/session/Needs";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";
import { State as Standing } from "~/table/State";

export const Route = createFileRoute("/_shell/jobs")({
  staticData: {
    place: { label: msg`Jobs`, icon: ListChecks, group: "system", at: 10, permission: "jobs:manage", key: "j", words: msg`background tasks work queue progress servers` },
  },
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="jobs:manage" title={t`Jobs`}>
      <Jobs />
    </Needs>
  );
}

function Jobs() {
  const { t } = useLingui();
  const { query, isFollowed } = useJobs();
  const { buttons, dialog } = useCommands();
  return (
    <>
      <PageHeader
        title={t`Jobs`}
        description={<Trans>Work that takes a while runs in the background and survives a restart of the server. This page shows how far it is.</Trans>}
      />
      <div className="grid gap-6">
        <Loaded query={query}>
          {(all) => (
            <>
              <Card flush id="open" title={<Trans>Under way</Trans>} actions={isFollowed && <Badge tone="good">{t`Live`}</Badge>}>
                <Open jobs={all.filter(isOpen)} buttons={buttons} />
              </Card>
              <Failed jobs={all.filter(({ state }) => state === "failed")} buttons={buttons} />
              <Card flush id="history" title={<Trans>History</Trans>} description={<Trans>Jobs that are over stay here for 30 days.</Trans>}>
                <Past jobs={all.filter(({ state }) => state === "done" || state === "cancelled")} />
              </Card>
            </>
          )}
        </Loaded>
        <Servers />
      </div>
      {dialog}
    </>
  );
}

function Open({ jobs, buttons }: { jobs: Job[]; buttons: (job: Job) => ReactNode }) {
  if (jobs.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState icon={<ListChecks />} title={<Trans>Nothing is under way</Trans>}>
          <Trans>Work that takes a while shows up here while it runs.</Trans>
        </EmptyState>
      </div>
    );
  }
  return (
    <ul className="divide-y divide-line border-t border-line">
      {jobs.map((job) => (
        <li key={job.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-3.5">
          <div className="min-w-0 grow basis-64">
            <Progress job={job} />
          </div>
          <div className="flex gap-2">{buttons(job)}</div>
        </li>
      ))}
    </ul>
  );
}

function Failed({ jobs, buttons }: { jobs: Job[]; buttons: (job: Job) => ReactNode }) {
  const { dateTime } = useFormat();
  const name = useName();
  if (jobs.length === 0) return null;
  return (
    <Card flush id="failed" title={<Trans>Failed</Trans>}>
      <ul className="divide-y divide-line border-t border-line">
        {jobs.map((job) => (
          <li key={job.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-3.5">
            <div className="grid min-w-0 grow basis-64 gap-0.5">
              <p className="font-medium">
                {name(job)} {job.finishedAt && <span className="text-sm font-normal text-muted">{dateTime(job.finishedAt)}</span>}
              </p>
              <p className="wrap-anywhere text-bad">{job.error}</p>
            </div>
            <div className="flex gap-2">{buttons(job)}</div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Past({ jobs }: { jobs: Job[] }) {
  const { t } = useLingui();
  const { dateTime, number } = useFormat();
  const name = useName();
  if (jobs.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState icon={<History />} title={<Trans>Nothing yet</Trans>} />
      </div>
    );
  }
  const columns: Column<Job>[] = [
    { id: "job", header: t`Job`, primary: true, width: { least: 12, share: 3 }, cell: (job) => <span className="font-medium">{name(job)}</span> },
    { id: "state", header: t`State`, width: { least: 7 }, cell: ({ state }) => <State state={state} /> },
    { id: "done", header: t`Items`, width: { least: 6 }, align: "end", phone: "labelled", cell: ({ done }) => number(done) },
    { id: "failed", header: t`Failed items`, width: { least: 7.5 }, align: "end", phone: "labelled", cell: ({ failedItems }) => number(failedItems) },
    { id: "finished", header: t`Ended`, width: { least: 11 }, className: "sm:text-muted", cell: ({ finishedAt }) => (finishedAt ? dateTime(finishedAt) : "–") },
  ];
  return <DataTable label={t`History`} columns={columns} rows={jobs} rowKey={({ id }) => id} />;
}

function Servers() {
  const { t, i18n } = useLingui();
  const { relative } = useFormat();
  const query = useQuery(tasks);
  const columns: Column<Task>[] = [
    { id: "task", header: t`Task`, primary: true, width: { least: 12, share: 2 }, cell: ({ name }) => <span className="font-medium">{TASKS[name] ? i18n._(TASKS[name]) : name}</span> },
    {
      id: "health",
      width: { least: 8, share: 1 },
      header: t`Health`,
      cell: ({ health, lastError }) => (
        <div className="grid justify-items-start gap-0.5">
          <Standing tone={HEALTH[health].tone}>{i18n._(HEALTH[health].words)}</Standing>
          {lastError && <span className="text-sm wrap-anywhere text-bad">{lastError}</span>}
        </div>
      ),
    },
    { id: "last", header: t`Last reported`, width: { least: 8 }, className: "sm:text-muted", cell: ({ lastSucceededAt }) => (lastSucceededAt ? relative(lastSucceededAt) : "–") },
    { id: "server", header: t`Server`, width: { least: 8, share: 1 }, phone: "labelled", className: "sm:text-muted", cell: ({ node }) => (node === "" ? t`Any server` : <code className="font-mono text-sm wrap-anywhere">{node}</code>) },
  ];
  return (
    <Card flush id="servers" title={<Trans>Tasks of each server</Trans>} description={<Trans>What servers do at regular intervals, and the hooks that they tell of changes. Each server gets a new name when it starts.</Trans>}>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <div className="border-t border-line">
              <EmptyState icon={<Server />} title={<Trans>No server has reported yet</Trans>} />
            </div>
          ) : (
            <DataTable label={t`Tasks of each server`} columns={columns} rows={all} rowKey={({ node, name }) => `${node} ${name}`} />
          )
        }
      </Loaded>
    </Card>
  );
}
