// The days of a month or of a week, with what happens on each of them.

import { Plural, Trans } from "@lingui/react/macro";
import { today, type CalendarDate } from "@internationalized/date";
import { memo, useRef } from "react";
import { Link } from "@tanstack/react-router";

import type { CalendarItem } from "~/api/types";
import { useTimeZone } from "~/content/site";
import { cx } from "~/lib/cx";

import { byDay, type Span, type View } from "../days";
import { useDropPlace } from "~/components/sortable/dragging";
import type { CalendarSearch } from "../question";
import { Chip } from "./Chip";
import { keyOf, useMoving } from "./happening";
import { useDayWords } from "./useClock";
import { useGridKeys } from "./useGridKeys";

/** How many lines a day has room for; the rest is on its own page. */
const ROOM: Record<"month" | "week", number> = { month: 4, week: 12 };

interface GridProps {
  label: string;
  view: Extract<View, "month" | "week">;
  span: Span;
  /** The day that is looked at: the days of other months are fainter. */
  day: CalendarDate;
  items: readonly CalendarItem[];
  /** From this instant on it is not known what happens. */
  knownUntil: number;
  search: CalendarSearch;
}

export function Grid({ label, view, span, day, items, knownUntil, search }: GridProps) {
  const { say } = useDayWords();
  const keys = useGridKeys();
  const present = today(useTimeZone());
  const days = byDay(items, span.starts);
  const weeks = Array.from({ length: span.days.length / 7 }, (_, week) => span.days.slice(week * 7, week * 7 + 7));
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          {weeks[0]?.map((date) => (
            <th key={date.toString()} scope="col" className="truncate border-b border-line px-2 py-1.5 text-start text-xs font-medium text-faint">
              <abbr title={say(date, "weekday")} className="no-underline">
                {say(date, "weekdayShort")}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={keys}>
        {weeks.map((week, row) => (
          <tr key={row} className="border-b border-line last:border-b-0">
            {week.map((date, column) => {
              const n = row * 7 + column;
              return (
                <Day
                  key={date.toString()}
                  iso={date.toString()}
                  number={say(date, date.day === 1 ? "monthDay" : "number")}
                  name={say(date, "long")}
                  items={days[n] ?? []}
                  isKnown={(span.starts[n + 1] ?? 0) <= knownUntil}
                  room={ROOM[view]}
                  isLarge={view === "week"}
                  isOutside={view === "month" && date.month !== day.month}
                  standing={Math.sign(date.compare(present))}
                  filter={search.filter}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps {
  iso: string;
  number: string;
  name: string;
  items: readonly CalendarItem[];
  isKnown: boolean;
  room: number;
  isLarge: boolean;
  isOutside: boolean;
  /** Below zero for days that have passed, zero for today. */
  standing: number;
  filter: string | undefined;
}

const Day = memo(
  function Day({ iso, number, name, items, isKnown, room, isLarge, isOutside, standing, filter }: DayProps) {
    const cell = useRef<HTMLTableCellElement>(null);
    const { fits, move } = useMoving();
    const over = useDropPlace<CalendarItem>(cell, { takes: () => true, onDrop: (item) => move(item, iso) });
    const shown = fitting(items, room);
    const more = items.length - shown.length;
    const search = { ...(filter ? { filter } : {}), view: "day" as const, day: iso };
    return (
      <td
        ref={cell}
        data-day={iso}
        className={cx(
          "border-e border-line p-1 align-top last:border-e-0",
          isLarge ? "h-96" : "h-28",
          standing < 0 && "bg-sunken/60",
          over && (fits(over, iso) ? "bg-accent-soft outline-2 -outline-offset-2 outline-accent" : "bg-bad-soft"),
        )}
      >
        <div className="mb-1 flex justify-between gap-1">
          <Link
            to="/calendar"
            search={search}
            aria-current={standing === 0 ? "date" : undefined}
            className={cx(
              "grid min-h-6 min-w-6 place-items-center rounded-full px-1.5 text-xs tabular-nums hover:bg-hover aria-[current=date]:bg-accent aria-[current=date]:font-semibold aria-[current=date]:text-on-accent pointer-coarse:min-h-9 pointer-coarse:min-w-9",
              isOutside ? "text-faint" : "text-ink",
            )}
          >
            <span aria-hidden>{number}</span>
            <span className="sr-only">{name}</span>
          </Link>
        </div>
        {shown.length > 0 && (
          <ul className="grid gap-0.5">
            {shown.map((item) => (
              <li key={keyOf(item)} className="min-w-0">
                <Chip item={item} isLarge={isLarge} />
              </li>
            ))}
          </ul>
        )}
        {more > 0 && (
          <Link to="/calendar" search={search} className="mt-0.5 flex min-h-6 items-center rounded-sm px-1.5 text-xs text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-9">
            {isKnown ? <Plural value={more} one="+# more" other="+# more" /> : <Trans>More…</Trans>}
          </Link>
        )}
        {!isKnown && more === 0 && (
          <p className="px-1.5 text-xs text-faint">
            <Trans>Not loaded</Trans>
          </p>
        )}
      </td>
    );
  },
  // The days before stay as they are while more and more comes.
  ({ items, ...before }, { items: next, ...after }) =>
    items.length === next.length && items.every((item, n) => item === next[n]) && Object.entries(before).every(([name, value]) => value === after[name as keyof typeof after]),
);

/** What finds room on a day, in its order: what is still to come goes before what was. */
function fitting(items: readonly CalendarItem[], room: number): readonly CalendarItem[] {
  if (items.length <= room) return items;
  const [plans, past] = [items.filter(({ kind }) => kind !== "published"), items.filter(({ kind }) => kind === "published")];
  const kept = new Set([...plans, ...past].slice(0, room - 1));
  return items.filter((item) => kept.has(item));
}
