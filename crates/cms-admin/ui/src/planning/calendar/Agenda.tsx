// What happens, line by line, under the days that it happens on.

import { Trans, useLingui } from "@lingui/react/macro";
import { today, type CalendarDate } from "@internationalized/date";
import { useEffect, useEffectEvent, useRef } from "react";

import type { CalendarItem } from "~/api/types";
import { Button } from "~/components/Button";
import { entryLink } from "~/content/links";
import { useTimeZone } from "~/content/site";
import { EntryStatus } from "~/content/status";
import { cx } from "~/lib/cx";
import { RowLink } from "~/table/RowLink";

import { Byline } from "../Byline";
import { byDay, type Span } from "../days";
import { usePlanner } from "../planner";
import { PlanMenu } from "../PlanMenu";
import { Refusal } from "../Refusal";
import { keyOf, LOOKS, useKindWords } from "./happening";
import { useClock, useDayWords } from "./useClock";

interface AgendaProps {
  span: Span;
  items: readonly CalendarItem[];
  hasMore: boolean;
  isComing: boolean;
  onMore: () => void;
}

export function Agenda({ span, items, hasMore, isComing, onMore }: AgendaProps) {
  const days = byDay(items, span.starts);
  return (
    <>
      {span.days.map((date, n) => {
        const happening = days[n] ?? [];
        return happening.length > 0 && <Day key={date.toString()} date={date} items={happening} />;
      })}
      {(hasMore || isComing) && <End isComing={isComing} onMore={onMore} />}
    </>
  );
}

function Day({ date, items }: { date: CalendarDate; items: readonly CalendarItem[] }) {
  const { t } = useLingui();
  const { say } = useDayWords();
  const present = today(useTimeZone());
  const id = `day-${date.toString()}`;
  return (
    // What is not on the screen is laid out when it comes there.
    <section aria-labelledby={id} className="border-b border-line [contain-intrinsic-size:auto_12rem] [content-visibility:auto] last:border-b-0">
      <h3 id={id} className="flex items-baseline gap-2 px-5 pt-3.5 pb-1.5 font-semibold max-sm:px-4">
        {say(date, "heading")}
        {date.compare(present) === 0 && <span className="text-sm font-normal text-accent-ink">{t`Today`}</span>}
      </h3>
      <ul className="pb-2">
        {items.map((item) => (
          <Line key={keyOf(item)} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Line({ item: { kind, at, entry } }: { item: CalendarItem }) {
  const { isBusy, nameOf, visit } = usePlanner();
  const clock = useClock();
  const says = useKindWords()[kind];
  const { icon: Icon, ink } = LOOKS[kind];
  const busy = isBusy(entry);
  return (
    <li data-entry={entry.id} aria-busy={busy || undefined} className={cx("group relative flex items-start gap-3 px-5 py-2 hover:bg-hover/50 max-sm:gap-1.5 max-sm:px-4", busy && "opacity-60")}>
      <p className={cx("flex w-20 shrink-0 items-center gap-1.5 pt-1.5 max-sm:w-16 max-sm:gap-1 text-sm tabular-nums", ink)}>
        <Icon role="img" aria-label={says} className="size-4 shrink-0" />
        {clock(at)}
      </p>
      <div className="min-w-0 grow py-1">
        <RowLink {...entryLink(entry.type, entry.id)} dir="auto" onClick={() => visit(entry)} className="line-clamp-2 min-h-6 wrap-anywhere">
          {nameOf(entry)}
        </RowLink>
        <div className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
          <Byline entry={entry} />
          <EntryStatus entry={entry} />
        </div>
        <Refusal entry={entry} />
      </div>
      <div className="relative z-10 shrink-0">
        <PlanMenu entry={entry} />
      </div>
    </li>
  );
}

/** The end of what is there. Whoever comes near it gets more. */
function End({ isComing, onMore }: { isComing: boolean; onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(() => {
    if (!isComing) onMore();
  });
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && more(), { rootMargin: "600px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isComing]);
  return (
    <div ref={end} className="flex justify-center py-3.5">
      <Button size="sm" pending={isComing} onClick={onMore}>
        <Trans>Load more</Trans>
      </Button>
    </div>
  );
}
