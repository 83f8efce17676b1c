// What changes of a collection still cost: indexes that are being built, and jobs about it.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

import type { Collection, Job } from "~/api/types";
import { Card } from "~/components/Card";
import { useFormat } from "~/lib/format";
import { BAR, Progress } from "~/jobs/Progress";
import { isOpen, useJobs } from "~/jobs/useJobs";
import { useCan } from "~/session/session";

import { modelChanged } from "./change";

/** How long a job that failed is shown where its collection is, in milliseconds. */
const RECENT = 86_400_000;

/** Jobs that change what is made of a collection say in their note what they are at. */
function isAbout({ note }: Job, slug: string): boolean {
  return note === slug || (note?.startsWith(`${slug}.`) ?? false);
}

/** Whether a job that is not over is about a collection. */
export function useIsWorkedOn(): (slug: string) => boolean {
  const open = useOpenJobs();
  return (slug) => open.some((job) => isAbout(job, slug));
}

function useOpenJobs(): Job[] {
  const { query } = useJobs();
  return query.data?.filter(isOpen) ?? [];
}

export function Work({ collection }: { collection: Collection }) {
  const can = useCan();
  return (
    <>
      <Indexes collection={collection} />
      {can("jobs:manage") && <Jobs collection={collection} />}
    </>
  );
}

function Indexes({ collection }: { collection: Collection }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const labelOf = (slug: string) => collection.fields?.find((field) => field.slug === slug)?.label ?? slug;
  const single = (collection.fields ?? []).flatMap(({ label, index }) => (index?.state === "building" ? [{ name: label, ...index }] : []));
  const several = collection.indexes.flatMap((index) => (index.state === "building" ? [{ name: index.fields.map(labelOf).join(" + "), ...index }] : []));
  const building = [...single, ...several];
  if (building.length === 0) return null;
  return (
    <Card title={<Trans>Indexes under way</Trans>} description={<Trans>Lists can filter and sort by these fields once their index is complete.</Trans>}>
      <ul className="grid gap-3">
        {building.map(({ name, done, total, lastError }) => {
          const [so, far] = [number(done), number(Math.max(done, total))];
          return (
            <li key={name} className="grid gap-1.5">
              <span className="flex justify-between gap-3">
                <span className="font-medium">{name}</span>
                <span className="text-sm text-muted">
                  <Trans>
                    {so} of {far}
                  </Trans>
                </span>
              </span>
              <progress aria-label={t`Index of ${name}`} className={BAR} max={Math.max(done, total, 1)} value={done} />
              {lastError && <p className="text-sm wrap-anywhere text-bad">{lastError}</p>}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Jobs({ collection: { slug } }: { collection: Collection }) {
  const queries = useQueryClient();
  const { query } = useJobs();
  const [now] = useState(() => Date.now());
  const about = query.data?.filter((job) => isAbout(job, slug)) ?? [];
  const open = about.filter(isOpen);
  // What worked later did not fail: the newest is the first.
  const isLast = (job: Job) => about.find(({ kind, note }) => kind === job.kind && note === job.note) === job;
  const failed = about.filter((job) => job.state === "failed" && isLast(job) && now - Date.parse(job.finishedAt ?? "") < RECENT);
  const count = open.length;
  const before = useRef(count);
  useEffect(() => {
    // What a job is done with is another model.
    if (count < before.current) void modelChanged(queries);
    before.current = count;
  }, [queries, count]);
  if (open.length + failed.length === 0) return null;
  return (
    <Card title={open.length > 0 ? <Trans>Under way</Trans> : <Trans>Failed lately</Trans>}>
      <ul className="grid gap-4">
        {[...open, ...failed].map((job) => (
          <li key={job.id}>
            <Progress job={job} />
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm">
        <Link to="/jobs" className="rounded-sm underline underline-offset-2">
          <Trans>All jobs</Trans>
        </Link>
      </p>
    </Card>
  );
}
