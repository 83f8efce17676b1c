// An entry on the board: what it is called, whose it is, how it stands, and what can be done with it.

import { Trans } from "@lingui/react/macro";
import { CalendarClock, CalendarX } from "lucide-react";
import { useRef } from "react";

import type { AnyEntry } from "~/api/types";
import { entryLink } from "~/content/links";
import { SiteTime } from "~/content/SiteTime";
import { EntryStatus, statusOf } from "~/content/status";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { RowLink } from "~/table/RowLink";

import { Byline } from "../Byline";
import { useDraggable } from "~/components/sortable/dragging";
import { usePlanner } from "../planner";
import { PlanMenu } from "../PlanMenu";
import { Refusal } from "../Refusal";

/** What is dragged from a column. */
export interface Dragged {
  entry: AnyEntry;
}

export function BoardCard({ entry }: { entry: AnyEntry }) {
  const { offers, isBusy, nameOf, visit } = usePlanner();
  const card = useRef<HTMLElement>(null);
  const busy = isBusy(entry);
  const isDragged = useDraggable<Dragged>(card, !busy && offers(entry).length > 0 ? { entry } : undefined);
  return (
    <article
      ref={card}
      aria-busy={busy || undefined}
      className={cx("group relative rounded-md border border-line bg-surface py-2 ps-3 pe-1.5 shadow-low hover:border-line-strong", (busy || isDragged) && "opacity-60")}
    >
      <div className="flex items-start gap-1">
        <RowLink {...entryLink(entry.type, entry.id)} draggable={false} dir="auto" onClick={() => visit(entry)} className="mt-1 line-clamp-2 grow wrap-anywhere">
          {nameOf(entry)}
        </RowLink>
        <div className="relative z-10 shrink-0">
          <PlanMenu entry={entry} />
        </div>
      </div>
      <Byline entry={entry} className="pe-1.5" />
      <Marks entry={entry} />
      <Refusal entry={entry} />
    </article>
  );
}

/** What its column does not say. */
function Marks({ entry }: { entry: AnyEntry }) {
  const { relative, dateTime } = useFormat();
  const { status, scheduledAt, unpublishAt, publishedAt, updatedAt } = entry;
  const standing = statusOf(entry);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted [&_svg]:size-3.5 [&_svg]:shrink-0">
      {(standing === "changed" || standing === "planned") && <EntryStatus entry={entry} />}
      {scheduledAt !== null && (
        <span className="inline-flex items-center gap-1">
          <CalendarClock aria-hidden />
          <SiteTime at={scheduledAt} />
        </span>
      )}
      {unpublishAt !== null && (
        <span className="inline-flex items-center gap-1">
          <CalendarX aria-hidden />
          <span>
            <Trans>
              until <SiteTime at={unpublishAt} />
            </Trans>
          </span>
        </span>
      )}
      {status === "published" && publishedAt !== null && <SiteTime at={publishedAt} isRelative />}
      {status === "draft" && <span title={dateTime(updatedAt)}>{relative(updatedAt)}</span>}
    </p>
  );
}
