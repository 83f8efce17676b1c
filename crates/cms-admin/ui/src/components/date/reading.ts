// What stands in the boxes of a date field: the value that it means, or what is wrong with it.

import { toCalendarDate, toCalendarDateTime, toTime } from "@internationalized/date";

import { readDate, readTime, writeDate, writeTime } from "./parse";
import { dateOf, instantsOf, timeOf, timeText, wallOf, type Turn } from "./zone";

export type Kind = "date" | "time" | "datetime";

export interface Texts {
  date: string;
  time: string;
  /** Which one is meant of two hours of the same name. */
  turn: Turn;
}

export interface Place {
  kind: Kind;
  locale: string;
  zone: string;
  /** The earliest value. */
  min?: string | undefined;
}

export type Problem =
  | { code: "NO_DATE" | "NO_TIME" | "DATE_MISSING" | "TIME_MISSING" }
  /** Clocks skip it. */
  | { code: "SKIPPED"; next: string }
  | { code: "TOO_EARLY"; min: string };

export type Reading =
  | { value: string | null; problem?: undefined; /** Both instants that clocks show as this. */ twice?: { earlier: string; later: string } | undefined }
  | { value?: undefined; problem: Problem };

/** What a value looks like in the boxes. A value that is none is shown as it is. */
export function textsOf(value: string | null, { kind, locale, zone }: Place): Texts {
  if (!value) return { date: "", time: "", turn: "earlier" };
  if (kind === "time") {
    const time = timeOf(value);
    return { date: "", time: time ? writeTime(time, locale) : value, turn: "earlier" };
  }
  if (kind === "date") {
    const date = dateOf(value);
    return { date: date ? writeDate(date, locale) : value, time: "", turn: "earlier" };
  }
  const wall = wallOf(value, zone);
  if (!wall) return { date: value, time: "", turn: "earlier" };
  const found = instantsOf(wall, zone);
  const isLater = found.kind === "twice" && new Date(found.later).getTime() === new Date(value).getTime();
  return { date: writeDate(toCalendarDate(wall), locale), time: writeTime(toTime(wall), locale), turn: isLater ? "later" : "earlier" };
}

/** The value that stands in the boxes. */
export function read({ date: dateTyped, time: timeTyped, turn }: Texts, place: Place): Reading {
  const { kind, locale, zone } = place;
  const isEmpty = { date: dateTyped.trim() === "", time: timeTyped.trim() === "" };
  if ((kind === "time" || isEmpty.date) && (kind === "date" || isEmpty.time)) return { value: null };
  if (kind === "time") {
    const time = readTime(timeTyped, locale);
    return time ? notBefore(timeText(time), place) : { problem: { code: "NO_TIME" } };
  }
  const date = readDate(dateTyped, locale, zone);
  if (!date) return { problem: { code: isEmpty.date ? "DATE_MISSING" : "NO_DATE" } };
  if (kind === "date") return notBefore(date.toString(), place);
  const time = readTime(timeTyped, locale);
  if (!time) return { problem: { code: isEmpty.time ? "TIME_MISSING" : "NO_TIME" } };
  const found = instantsOf(toCalendarDateTime(date, time), zone);
  if (found.kind === "never") return { problem: { code: "SKIPPED", next: found.next } };
  if (found.kind === "one") return notBefore(found.instant, place);
  return { ...notBefore(found[turn], place), twice: { earlier: found.earlier, later: found.later } } as Reading;
}

function notBefore(value: string, { kind, min }: Place): Reading {
  if (min === undefined) return { value };
  const isEarly = kind === "datetime" ? new Date(value) < new Date(min) : value < min;
  return isEarly ? { problem: { code: "TOO_EARLY", min } } : { value };
}

/** Whether two values mean the same: instants can be written in several ways. */
export function isSameValue(one: string | null, other: string | null, kind: Kind): boolean {
  if (one === other) return true;
  return kind === "datetime" && one !== null && other !== null && new Date(one).getTime() === new Date(other).getTime();
}
