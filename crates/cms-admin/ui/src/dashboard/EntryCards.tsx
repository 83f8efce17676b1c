// The cards about entries: one's own drafts, what waits for its time, what others write, and what changed last.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarClock, FileText, History, PenLine } from "lucide-react";

import type { AnyEntry } from "~/api/types";
import { SiteTime } from "~/content/SiteTime";
import { EntryStatus } from "~/content/status";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";

import { DashboardCard, EntryLines, MORE, OnlyLatest, Quiet, Told } from "./parts";
import { split } from "./planned";
import { changed, drafts, draftsOf, planned, plannedOf, SHOWN } from "./queries";

function AllContentLink() {
  return (
    <Link to="/content" className={MORE}>
      <Trans>All content</Trans>
    </Link>
  );
}

/** Says when an entry last changed. */
function useChanged(): (entry: { updatedAt: string }) => string {
  const { relative } = useFormat();
  return ({ updatedAt }) => relative(updatedAt);
}

export function DraftsCard() {
  const { t } = useLingui();
  const me = useMe();
  const when = useChanged();
  const query = useQuery(draftsOf(me.id));
  return (
    <DashboardCard id="drafts" title={<Trans>My drafts</Trans>} more={query.data?.hasMore && <AllContentLink />}>
      <Told query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Quiet icon={<PenLine aria-hidden />}>
              <Trans>You have no drafts. What you begin and do not publish is here.</Trans>
            </Quiet>
          ) : (
            <EntryLines label={t`My drafts`} entries={items} about={when} />
          )
        }
      </Told>
    </DashboardCard>
  );
}

export function OthersCard() {
  const { t } = useLingui();
  const me = useMe();
  const when = useChanged();
  const query = useQuery(drafts);
  return (
    <DashboardCard id="others" title={<Trans>Drafts of others</Trans>} description={<Trans>What the team writes, and you may publish.</Trans>}>
      <Told query={query}>
        {({ items, hasMore }) => {
          const others = items.filter(({ authorId }) => authorId !== me.id);
          return others.length > 0 ? (
            <EntryLines label={t`Drafts of others`} entries={others.slice(0, SHOWN)} about={when} />
          ) : hasMore ? (
            <OnlyLatest />
          ) : (
            <Quiet icon={<FileText aria-hidden />}>
              <Trans>Nobody else has a draft.</Trans>
            </Quiet>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

/** Entries that wait, with their time by the clocks of the site, and beside it what that is from now. */
function PlannedLines({ label, entries }: { label: string; entries: readonly AnyEntry[] }) {
  return (
    <EntryLines
      label={label}
      entries={entries.slice(0, SHOWN)}
      about={({ scheduledAt }) => <SiteTime at={scheduledAt ?? ""} />}
      aside={({ scheduledAt }) => (
        <span className="max-sm:hidden">
          <SiteTime at={scheduledAt ?? ""} isRelative />
        </span>
      )}
    />
  );
}

/** What one planned oneself, or what somebody planned with what is one's own. */
export function WaitingCard() {
  const { t } = useLingui();
  const me = useMe();
  const all = useQuery(planned);
  // Where there are more than fit in an answer, one's own are asked for.
  const isCut = all.data?.hasMore === true;
  const own = useQuery({ ...plannedOf(me.id), enabled: isCut });
  const query = isCut ? own : all;
  return (
    <DashboardCard id="waiting" title={<Trans>My scheduled entries</Trans>}>
      <Told query={query}>
        {({ items, hasMore }) => {
          const mine = split(items.filter(({ authorId }) => authorId === me.id), query.dataUpdatedAt).next;
          return (
            <>
              {mine.length > 0 && <PlannedLines label={t`My scheduled entries`} entries={mine} />}
              {hasMore && <OnlyLatest />}
              {mine.length === 0 && !hasMore && (
                <Quiet icon={<CalendarClock aria-hidden />}>
                  <Trans>Nothing of yours is scheduled.</Trans>
                </Quiet>
              )}
            </>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

export function NextCard() {
  const { t } = useLingui();
  const query = useQuery(planned);
  return (
    <DashboardCard id="next" title={<Trans>Scheduled next</Trans>}>
      <Told query={query}>
        {({ items, hasMore }) => {
          const { next } = split(items, query.dataUpdatedAt);
          return (
            <>
              {next.length > 0 && <PlannedLines label={t`Scheduled next`} entries={next} />}
              {hasMore && <OnlyLatest />}
              {next.length === 0 && !hasMore && (
                <Quiet icon={<CalendarClock aria-hidden />}>
                  <Trans>Nothing is scheduled.</Trans>
                </Quiet>
              )}
            </>
          );
        }}
      </Told>
    </DashboardCard>
  );
}

export function RecentCard() {
  const { t } = useLingui();
  const when = useChanged();
  const query = useQuery(changed);
  return (
    <DashboardCard id="recent" title={<Trans>Recent changes</Trans>} more={<AllContentLink />}>
      <Told query={query} lines={SHOWN}>
        {({ items }) =>
          items.length === 0 ? (
            <Quiet icon={<History aria-hidden />}>
              <Trans>Nothing was written yet.</Trans>
            </Quiet>
          ) : (
            <EntryLines label={t`Recent changes`} entries={items} about={when} aside={(entry) => <EntryStatus entry={entry} />} />
          )
        }
      </Told>
    </DashboardCard>
  );
}
