// Dates and times of a calendar, as people of the chosen language write them in their region. Its days are Gregorian everywhere: the server knows no others.

import type { CalendarDate } from "@internationalized/date";
import { useLingui } from "@lingui/react";

import { useTimeZone } from "~/content/site";
import { dateFormat } from "~/lib/intl";
import { useRegional } from "~/lib/region";

/** What the days and weeks of a calendar are written by. */
export function useCalendarLocale(): string {
  const { i18n } = useLingui();
  return `${useRegional(i18n.locale)}-u-ca-gregory`;
}

/** Says the time of an instant by the clocks of the site, as in `14:05`. */
export function useClock(): (at: string) => string {
  const locale = useCalendarLocale();
  const timeZone = useTimeZone();
  return (at) => dateFormat(locale, { hour: "numeric", minute: "2-digit", timeZone }).format(new Date(at));
}

type Style = "weekday" | "weekdayShort" | "number" | "monthDay" | "month" | "long" | "heading";

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  weekday: { weekday: "long" },
  weekdayShort: { weekday: "short" },
  number: { day: "numeric" },
  monthDay: { day: "numeric", month: "short" },
  month: { month: "long", year: "numeric" },
  long: { dateStyle: "full" },
  heading: { weekday: "long", day: "numeric", month: "long" },
};

/** A day is the same one wherever it is read. */
const asDate = (day: CalendarDate) => day.toDate("UTC");

/** Says a day, or from which to which. */
export function useDayWords() {
  const locale = useCalendarLocale();
  return {
    say: (day: CalendarDate, style: Style) => dateFormat(locale, { ...STYLES[style], timeZone: "UTC" }).format(asDate(day)),
    sayRange: (first: CalendarDate, last: CalendarDate) => dateFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).formatRange(asDate(first), asDate(last)),
  };
}
