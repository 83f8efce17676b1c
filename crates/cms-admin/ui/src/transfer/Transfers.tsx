// Imports and exports that go on or are over: how far each is, what came of it, and what was wrong with which line.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import type { ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { Job } from "~/api/types";
import { Badge } from "~/components/Badge";
import { Button, ButtonAnchor } from "~/components/Button";
import { EmptyState, Loaded } from "~/components/states";
import { Progress, State } from "~/jobs/Progress";
import { isOpen } from "~/jobs/useJobs";
import { useName } from "~/jobs/useName";
import { useFormat } from "~/lib/format";
import { prefix } from "~/lib/site";

const IMPORT = "content.import_lines";
const EXPORT = "content.export_lines";
/** How long the server keeps the file of an export, in milliseconds. */
const KEPT = 7 * 24 * 3_600_000;

export const isTransfer = ({ kind }: Job) => kind === IMPORT || kind === EXPORT;

const isKept = ({ createdAt }: Job) => Date.parse(createdAt) + KEPT > Date.now();

interface Imported {
  imported: number;
  updated: number;
  skipped: number;
  failed: number;
  waiting: number;
  dryRun: boolean;
  collections: string[];
}

interface Exported {
  entries: number;
  bytes: number;
}

export function Transfers({ jobs, buttons }: { jobs: Job[]; buttons: (job: Job) => ReactNode }) {
  if (jobs.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState icon={<FileText />} title={<Trans>Nothing has been imported or exported yet</Trans>}>
          <Trans>What you start above shows up here.</Trans>
        </EmptyState>
      </div>
    );
  }
  // The next export of a person takes the place of their last one. The newest are first.
  const latest = new Map([...jobs].reverse().filter(({ kind }) => kind === EXPORT).map((job) => [job.askedBy, job.id]));
  return (
    <ul className="divide-y divide-line border-t border-line">
      {jobs.map((job) => (
        <li key={job.id} className="grid gap-3 px-5 py-4">
          {isOpen(job) ? (
            <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
              <div className="min-w-0 grow basis-64">
                <Progress job={job} />
              </div>
              <div className="flex gap-2">{buttons(job)}</div>
            </div>
          ) : (
            <Ended job={job} buttons={buttons} hasFile={job.state === "done" && job.id === latest.get(job.askedBy)} />
          )}
          {job.kind === IMPORT && job.failedItems > 0 && <Refused job={job} />}
        </li>
      ))}
    </ul>
  );
}

function Ended({ job, buttons, hasFile }: { job: Job; buttons: (job: Job) => ReactNode; hasFile: boolean }) {
  const { t } = useLingui();
  const { dateTime } = useFormat();
  const name = useName()(job);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <div className="grid min-w-0 grow basis-64 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{name}</span>
          <State state={job.state} />
          {job.kind === IMPORT && job.state === "done" && job.failedItems > 0 && <Badge tone="warn">{t`Some lines refused`}</Badge>}
          {job.finishedAt && <span className="text-sm text-muted">{dateTime(job.finishedAt)}</span>}
        </div>
        {job.state === "done" && job.kind === IMPORT && <ImportResult result={job.result as Imported} />}
        {job.state === "done" && job.kind === EXPORT && <ExportResult result={job.result as Exported} />}
        {job.error && <p className="text-sm wrap-anywhere text-bad">{job.error}</p>}
      </div>
      <div className="flex gap-2">
        {job.state === "failed" && buttons(job)}
        {hasFile && isKept(job) && (
          <ButtonAnchor size="sm" icon={<Download />} href={`${prefix}/api/admin/exports/${job.id}/file`} download>
            <Trans>Download</Trans>
          </ButtonAnchor>
        )}
      </div>
    </div>
  );
}

function ImportResult({ result }: { result: Imported }) {
  const { number, list } = useFormat();
  const [imported, updated, skipped, failed] = [result.imported, result.updated, result.skipped, result.failed].map(number);
  const waiting = result.waiting;
  return (
    <div className="grid gap-0.5 text-sm text-muted">
      <p>
        {result.dryRun ? (
          <Trans>
            Only checked: {imported} would be imported, {updated} replaced, {skipped} left as they are, {failed} refused.
          </Trans>
        ) : (
          <Trans>
            {imported} imported, {updated} replaced, {skipped} left as they are, {failed} refused.
          </Trans>
        )}
      </p>
      {waiting > 0 && (
        <p>
          <Plural
            value={waiting}
            one="# line refers to an entry that is not there yet: it is checked when the file is imported."
            other="# lines refer to entries that are not there yet: they are checked when the file is imported."
          />
        </p>
      )}
      {result.collections.length > 0 && <p>{list(result.collections)}</p>}
    </div>
  );
}

function ExportResult({ result }: { result: Exported }) {
  const { bytes } = useFormat();
  const size = bytes(result.bytes);
  return (
    <p className="text-sm text-muted">
      <Plural value={result.entries} one={`# entry, ${size}`} other={`# entries, ${size}`} />
    </p>
  );
}

/** How many lines that were refused are asked for at a time. */
const PAGE = 20;
/** How many of them the server remembers. */
const REMEMBERED = 1000;

function Refused({ job }: { job: Job }) {
  const { number } = useFormat();
  const count = number(job.failedItems);
  return (
    <details className="min-w-0 rounded-md border border-line">
      <summary className="cursor-pointer px-3.5 py-2.5 text-sm font-medium text-bad">
        <Trans>Refused lines: {count}</Trans>
      </summary>
      <Lines job={job} />
    </details>
  );
}

function Lines({ job: { id, failedItems } }: { job: Job }) {
  const { number } = useFormat();
  const query = useInfiniteQuery({
    // More of them may have been refused meanwhile.
    queryKey: ["jobs", id, "failed-items", failedItems],
    queryFn: ({ pageParam }) =>
      answer(api.GET("/admin/jobs/{id}/failed-items", { params: { path: { id }, query: { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const remembered = number(REMEMBERED);
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <ul className="divide-y divide-line border-t border-line">
            {pages
              .flatMap(({ items }) => items)
              .map(({ number, item, message }) => (
                <li key={number} className="grid gap-x-4 px-3.5 py-2 text-sm sm:grid-cols-[6rem_1fr]">
                  <span className="font-medium">
                    <Item item={item} />
                  </span>
                  <span dir="auto" className="min-w-0 wrap-anywhere text-muted">
                    {message}
                  </span>
                </li>
              ))}
          </ul>
          {(query.hasNextPage || failedItems > REMEMBERED) && (
            <div className="flex flex-wrap items-center gap-3 border-t border-line px-3.5 py-2.5">
              {query.hasNextPage && (
                <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  <Trans>Show more</Trans>
                </Button>
              )}
              {failedItems > REMEMBERED && (
                <p className="text-sm text-muted">
                  <Trans>Only the first {remembered} are kept.</Trans>
                </p>
              )}
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Which one it was: the server names lines in English. */
function Item({ item }: { item: string }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const line = /^line (\d+)$/.exec(item)?.[1];
  if (!line) return item;
  const shown = number(Number(line));
  return t`Line ${shown}`;
}
