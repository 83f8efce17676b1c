// The jobs as they are at this moment: asked for once, then followed.

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { answer, api } from "~/api/client";
import type { Job, WatchedJobs } from "~/api/types";
import { prefix } from "~/lib/site";

/** How many of the last jobs are shown, as many as the stream has. */
const SHOWN = 50;
/** How long to wait before a stream is opened again that the server refused, in milliseconds. */
const AGAIN = 5_000;

export const jobs = queryOptions({
  queryKey: ["jobs"],
  queryFn: () => answer(api.GET("/admin/jobs", { params: { query: { limit: SHOWN } } })).then(({ items }) => items),
});

/** Whether a job is not over. */
export const isOpen = ({ state }: Job) => state === "queued" || state === "running" || state === "paused";

/** What each server does again and again. */
export const tasks = queryOptions({ queryKey: ["tasks"], queryFn: () => answer(api.GET("/admin/tasks")).then(({ items }) => items), refetchInterval: 10_000 });

/** The jobs, each once, the one that was asked for last first: ids grow with time. */
function all({ open, latest }: WatchedJobs): Job[] {
  const byId = new Map([...open, ...latest].map((job) => [job.id, job]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** The jobs, kept up to date as long as the window is looked at. */
export function useJobs() {
  const queries = useQueryClient();
  const [isFollowed, setFollowed] = useState(false);
  useEffect(() => {
    let stream: EventSource | undefined;
    let waiting: number | undefined;
    const close = () => {
      window.clearTimeout(waiting);
      stream?.close();
      stream = undefined;
      setFollowed(false);
    };
    const open = () => {
      close();
      if (document.hidden) return;
      stream = new EventSource(`${prefix}/api/admin/job-events`);
      stream.onopen = () => setFollowed(true);
      stream.onmessage = ({ data }: MessageEvent<string>) => {
        const told = all(JSON.parse(data) as WatchedJobs);
        // An answer that is still on its way may be of before, and nothing would come after it once all jobs are over.
        void queries.cancelQueries({ queryKey: jobs.queryKey }).then(() => queries.setQueryData(jobs.queryKey, told));
      };
      // A connection that broke is opened again by the browser; whoever was refused is asked to sign in by the next request.
      const ended = () => {
        setFollowed(false);
        if (stream?.readyState !== EventSource.CLOSED) return;
        void queries.invalidateQueries(jobs);
        waiting = window.setTimeout(open, AGAIN);
      };
      stream.onerror = ended;
      stream.addEventListener("failed", () => {
        stream?.close();
        ended();
      });
    };
    open();
    document.addEventListener("visibilitychange", open);
    return () => {
      document.removeEventListener("visibilitychange", open);
      close();
    };
  }, [queries]);
  return { query: useQuery(jobs), isFollowed };
}
