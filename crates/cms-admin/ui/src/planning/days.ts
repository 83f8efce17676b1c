// Days by the clocks of the site: what a view shows of them, when each begins, and the same time of another one.

import { CalendarDate, endOfMonth, endOfWeek, startOfMonth, startOfWeek, toZoned } from "@internationalized/date";

import { dateOf, instantsOf, iso, wallOf } from "~/components/date/zone";

export const VIEWS = ["month", "week", "day", "agenda"] as const;
export type View = (typeof VIEWS)[number];

/** How many days the agenda has. */
const AHEAD = 30;

/**
 * The first and the last year that are shown. Instants of the server lie in the years 1 to 9999: with a year to spare at either end, whatever a view shows around a
 * day is within them, by the clocks of every zone.
 */
const YEARS = { first: 2, last: 9998 };

/** Whether the days around one can be shown. */
export const isShown = ({ era, year }: CalendarDate): boolean => era === "AD" && year >= YEARS.first && year <= YEARS.last;

/** The days that are shown at once. */
export interface Span {
  days: readonly CalendarDate[];
  /** When each of them begins, in milliseconds, and when the last one ends. */
  starts: readonly number[];
  /** The first instant, and the first one after the last. */
  from: string;
  to: string;
}

/** The days that a view shows around one of them, which is one that can be shown. Weeks begin as in the locale. */
export function spanOf(view: View, day: CalendarDate, locale: string, zone: string): Span {
  const [first, last] = edges(view, day, locale);
  // Counted beforehand: behind the last day that there is, a day later is the same day.
  const days = Array.from({ length: last.compare(first) + 1 }, (_, n) => first.add({ days: n }));
  const starts = [...days, last.add({ days: 1 })].map((date) => toZoned(date, zone).toDate().getTime());
  return { days, starts, from: iso(new Date(starts[0] ?? NaN)), to: iso(new Date(starts.at(-1) ?? NaN)) };
}

function edges(view: View, day: CalendarDate, locale: string): [CalendarDate, CalendarDate] {
  switch (view) {
    case "month":
      return [startOfWeek(startOfMonth(day), locale), endOfWeek(endOfMonth(day), locale)];
    case "week":
      return [startOfWeek(day, locale), endOfWeek(day, locale)];
    case "day":
      return [day, day];
    case "agenda":
      return [day, day.add({ days: AHEAD - 1 })];
  }
}

/** The day that a view is around after a step back (-1) or on (1). */
export function stepped(view: View, day: CalendarDate, step: 1 | -1): CalendarDate {
  if (view === "month") return day.set({ day: 1 }).add({ months: step });
  return day.add({ days: step * { week: 7, day: 1, agenda: AHEAD }[view] });
}

/** What happens on each day, of a list in its order. What is outside of the days is left out. */
export function byDay<Item extends { at: string }>(items: readonly Item[], starts: readonly number[]): Item[][] {
  const days: Item[][] = Array.from({ length: Math.max(starts.length - 1, 0) }, () => []);
  let day = 0;
  for (const item of items) {
    const at = Date.parse(item.at);
    while (day < days.length && at >= (starts[day + 1] ?? Infinity)) day++;
    if (at >= (starts[0] ?? Infinity)) days[day]?.push(item);
  }
  return days;
}

/** The day of an instant, as in `2026-11-25`. */
export function dayOf(at: string, zone: string): string | undefined {
  return wallOf(at, zone)?.toString().slice(0, 10);
}

/**
 * The same time of another day, as clocks show it there, whatever was done to them in between. A time that they skip on that day is the one that they show
 * then; of one that they show twice it is the earlier.
 */
export function onDay(at: string, day: string, zone: string): string | undefined {
  const [wall, date] = [wallOf(at, zone), dateOf(day)];
  if (!wall || !date) return undefined;
  if (dayOf(at, zone) === day) return at;
  const found = instantsOf(wall.set({ year: date.year, month: date.month, day: date.day }), zone);
  return found.kind === "one" ? found.instant : found.kind === "twice" ? found.earlier : found.next;
}
