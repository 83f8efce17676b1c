// Entries that should have been public by now. Why one is not is asked for when somebody wants to know.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { messageOf } from "~/api/errors";
import type { AnyEntry } from "~/api/types";
import { Button } from "~/components/Button";
import { Notice } from "~/components/Notice";
import { Skeleton } from "~/components/states";
import { useSiteTime } from "~/content/plan";
import { SiteTime } from "~/content/SiteTime";
import { tasks } from "~/jobs/useJobs";
import { useFormat } from "~/lib/format";
import { useCan } from "~/session/session";

import { DashboardCard, EntryLines, OnlyLatest, Quiet, Told } from "./parts";
import { split } from "./planned";
import { planned, SHOWN } from "./queries";

/** The task that publishes what is due. */
const PUBLISHES = "publish_due";

export function LateCard() {
  const { t } = useLingui();
  const { relative } = useFormat();
  const query = useQuery(planned);
  const [asked, setAsked] = useState<string>();
  return (
    <DashboardCard id="late" title={<Trans>Not published on time</Trans>}>
      <Told query={query}>
        {({ items, hasMore }) => {
          const { late } = split(items, query.dataUpdatedAt);
          if (late.length === 0) {
            return hasMore ? (
              <OnlyLatest />
            ) : (
              <Quiet icon={<CircleCheck aria-hidden className="text-good" />}>
                <Trans>Everything that was due is public.</Trans>
              </Quiet>
            );
          }
          return (
            <>
              <Scheduler />
              <EntryLines
                label={t`Not published on time`}
                entries={late.slice(0, SHOWN)}
                about={({ scheduledAt }) => <SiteTime at={scheduledAt ?? ""} />}
                aside={({ scheduledAt }) => <span className="text-bad">{t`due ${relative(scheduledAt ?? "")}`}</span>}
                below={(entry) =>
                  asked === entry.id ? (
                    <Why entry={entry} />
                  ) : (
                    <Button size="sm" variant="ghost" className="-ms-2.5 mb-2" onClick={() => setAsked(entry.id)}>
                      <Trans>Why?</Trans>
                    </Button>
                  )
                }
              />
              {hasMore && <OnlyLatest />}
            </>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

/** Whether any server publishes at all, told to those who may know. */
function Scheduler() {
  const may = useCan()("jobs:manage");
  const { data } = useQuery({ ...tasks, enabled: may, refetchInterval: false });
  const publishes = data?.filter(({ name }) => name === PUBLISHES) ?? [];
  if (!may || data === undefined || publishes.some(({ health }) => health === "well")) return null;
  return (
    <div className="border-t border-line px-5 py-3">
      <Notice tone="warn" title={<Trans>No server publishes just now</Trans>}>
        <Trans>The task that publishes what is due does not run, or fails. The page of jobs says more.</Trans>
      </Notice>
    </div>
  );
}

function Why({ entry: { type, id } }: { entry: AnyEntry }) {
  const siteTime = useSiteTime();
  const query = useQuery({
    queryKey: ["schedule-failure", type, id],
    queryFn: ({ signal }) => answer(api.GET("/content/{collection}/{id}", { params: { path: { collection: type, id }, query: { fields: "" } }, signal })).then(({ item }) => item.scheduleFailure ?? null),
    staleTime: 0,
  });
  if (query.error) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 pb-3 text-sm text-muted">
        {messageOf(query.error)}
        <Button size="sm" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </p>
    );
  }
  if (query.data === undefined) return <Skeleton className="mb-3 h-4 w-56 max-w-full" />;
  const failure = query.data;
  const tried = failure?.nextAttemptAt && siteTime(failure.nextAttemptAt);
  return (
    <div role="status" className="grid gap-0.5 pb-3 text-sm">
      {failure === null ? (
        <p className="text-muted">
          <Trans>No server has tried it yet.</Trans>
        </p>
      ) : (
        <>
          <p className="wrap-anywhere text-bad">{failure.lastError}</p>
          <p className="text-muted">{tried ? <Trans>The next try is on {tried}.</Trans> : <Trans>It is not tried again: change the entry, and schedule or publish it.</Trans>}</p>
        </>
      )}
    </div>
  );
}
