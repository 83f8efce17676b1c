// Between instants and what the clocks of a zone show.

import { parseAbsolute, parseDate, parseTime, Time, toCalendarDateTime, toTimeZone, toZoned, type CalendarDate, type CalendarDateTime } from "@internationalized/date";

import { dateFormat } from "~/lib/intl";

/** Which of the two hours is meant that a clock shows twice when it is put back. */
export type Turn = "earlier" | "later";

/** What a wall clock shows, as the instant or instants at which it does. */
export type Found = { kind: "one"; instant: string } | { kind: "twice"; earlier: string; later: string } | { kind: "never"; next: string };

/** The date and time that clocks in a zone show at an instant. Undefined for what is no instant. */
export function wallOf(instant: string, zone: string): CalendarDateTime | undefined {
  try {
    return toCalendarDateTime(toTimeZone(parseAbsolute(instant, "UTC"), zone));
  } catch {
    return undefined;
  }
}

/** When clocks in a zone show a date and time: once, twice when they are put back, never when they are put forward. */
export function instantsOf(wall: CalendarDateTime, zone: string): Found {
  const earlier = toZoned(wall, zone, "earlier");
  const later = toZoned(wall, zone, "later");
  if (earlier.compare(later) === 0) return { kind: "one", instant: iso(earlier.toDate()) };
  // In a gap the one is before it and the other behind it, and neither shows what was asked for.
  if (toCalendarDateTime(earlier).compare(wall) !== 0) return { kind: "never", next: iso(later.toDate()) };
  return { kind: "twice", earlier: iso(earlier.toDate()), later: iso(later.toDate()) };
}

/** An instant as the server writes them: without milliseconds that say nothing. */
export function iso(date: Date): string {
  return date.toISOString().replace(/\.000Z$/, "Z");
}

/** A date of a value, as in `2026-11-25`. */
export function dateOf(value: string): CalendarDate | undefined {
  try {
    return parseDate(value);
  } catch {
    return undefined;
  }
}

/** A time of a value, as in `09:30` or `09:30:15`. */
export function timeOf(value: string): Time | undefined {
  try {
    return parseTime(value);
  } catch {
    return undefined;
  }
}

/** A time as it is stored: seconds only where there are some. */
export function timeText(time: Time): string {
  return time.second === 0 && time.millisecond === 0 ? time.toString().slice(0, 5) : time.toString();
}

/** A zone in words, with what it differs by from UTC at an instant: `Central European Time (GMT+1)`. */
export function zoneName(zone: string, locale: string, instant: Date): string {
  const part = (timeZoneName: "longGeneric" | "long" | "shortOffset") =>
    dateFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value;
  // What is no place on earth has no generic name, and what has no name at all is an offset.
  const name = [part("longGeneric"), part("long")].find((name) => name && !/\p{Nd}/u.test(name));
  const offset = part("shortOffset") ?? zone;
  return name ? `${name} (${offset})` : offset;
}
