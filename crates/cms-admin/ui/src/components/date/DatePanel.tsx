// The calendar of a date field, with what is chosen often beside it.

import { now, toCalendarDate, today, Time, toCalendarDateTime, toZoned } from "@internationalized/date";
import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button as AriaButton, Calendar, CalendarCell, CalendarGrid, CalendarGridBody, CalendarGridHeader, CalendarHeaderCell, Heading, I18nProvider } from "react-aria-components";

import { Button } from "~/components/Button";
import { dateFormat } from "~/lib/intl";

import type { Kind } from "./reading";
import { dateOf, iso, wallOf } from "./zone";

interface DatePanelProps {
  kind: Kind;
  locale: string;
  zone: string;
  /** The chosen day. */
  day: string | null;
  min?: string | undefined;
  onDay: (day: string) => void;
  onValue: (value: string) => void;
}

const STEP =
  "grid size-9 place-items-center rounded-md text-muted outline-none hover:bg-hover hover:text-ink data-disabled:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-focus pointer-coarse:size-11 rtl:-scale-x-100 [&_svg]:size-4";

export default function DatePanel({ kind, locale, zone, day, min, onDay, onValue }: DatePanelProps) {
  const value = day ? (dateOf(day) ?? null) : null;
  const earliest = min === undefined ? undefined : kind === "datetime" ? wallOf(min, zone) : dateOf(min);
  return (
    // Only the calendar of our Gregorian dates: the server stores no others.
    <I18nProvider locale={`${locale}-u-ca-gregory`}>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Calendar
          autoFocus
          value={value}
          defaultFocusedValue={value ?? today(zone)}
          minValue={earliest ? toCalendarDate(earliest) : undefined}
          onChange={(date) => onDay(date.toString())}
          className="w-fit max-sm:mx-auto"
        >
          <header className="flex items-center justify-between gap-1 pb-2">
            <AriaButton slot="previous" className={STEP}>
              <ChevronLeft aria-hidden />
            </AriaButton>
            <Heading className="font-semibold" />
            <AriaButton slot="next" className={STEP}>
              <ChevronRight aria-hidden />
            </AriaButton>
          </header>
          <CalendarGrid className="border-collapse">
            <CalendarGridHeader>{(name) => <CalendarHeaderCell className="h-8 text-xs font-medium text-faint">{name}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>
              {(date) => (
                <CalendarCell
                  date={date}
                  className={({ date: shown }) =>
                    "grid size-9 cursor-pointer place-items-center rounded-md tabular-nums outline-none pointer-coarse:size-11 data-outside-month:invisible data-hovered:bg-hover data-focus-visible:outline-2 data-focus-visible:outline-focus data-disabled:cursor-not-allowed data-disabled:text-faint data-disabled:opacity-50 data-selected:bg-accent data-selected:font-semibold data-selected:text-on-accent " +
                    (shown.compare(today(zone)) === 0 ? "border border-accent-line font-semibold text-accent-ink" : "")
                  }
                />
              )}
            </CalendarGridBody>
          </CalendarGrid>
        </Calendar>
        <Presets kind={kind} locale={locale} zone={zone} earliest={min} onDay={onDay} onValue={onValue} />
      </div>
    </I18nProvider>
  );
}

interface PresetsProps {
  kind: Kind;
  locale: string;
  zone: string;
  earliest: string | undefined;
  onDay: (day: string) => void;
  onValue: (value: string) => void;
}

/** Days and times that are chosen often. */
function Presets({ kind, locale, zone, earliest, onDay, onValue }: PresetsProps) {
  const { t } = useLingui();
  const present = now(zone);
  const time = (hour: number) => dateFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" }).format(new Date(Date.UTC(2026, 0, 1, hour)));
  const [morning, evening] = [time(9), time(18)];
  const at = (days: number, hour: number) => iso(toZoned(toCalendarDateTime(today(zone).add({ days }), new Time(hour)), zone).toDate());
  // Monday is the first day of a week that has none of the reader's locale in it.
  const monday = ((8 - new Date(today(zone).toString()).getUTCDay()) % 7) || 7;
  const presets =
    kind === "date"
      ? [
          { label: t`Today`, value: today(zone).toString() },
          { label: t`Tomorrow`, value: today(zone).add({ days: 1 }).toString() },
          { label: t`In a week`, value: today(zone).add({ days: 7 }).toString() },
        ]
      : [
          { label: t`In an hour`, value: iso(present.add({ hours: 1 }).set({ second: 0, millisecond: 0 }).toDate()) },
          { label: t`This evening, ${evening}`, value: at(0, 18) },
          { label: t`Tomorrow, ${morning}`, value: at(1, 9) },
          { label: t`Monday, ${morning}`, value: at(monday, 9) },
          { label: t`In a week, ${morning}`, value: at(7, 9) },
        ];
  const isPossible = (value: string) => (kind === "date" ? earliest === undefined || value >= earliest : new Date(value) >= (earliest ? new Date(earliest) : present.toDate()));
  return (
    <div className="flex gap-1 border-line max-sm:flex-wrap max-sm:border-t max-sm:pt-3 sm:w-44 sm:flex-col sm:border-s sm:ps-3">
      <p className="w-full pb-1 text-xs font-medium text-faint">
        <Trans>Suggestions</Trans>
      </p>
      {presets
        .filter(({ value }) => isPossible(value))
        .map(({ label, value }) => (
          <Button key={label} size="sm" variant="ghost" className="justify-start" onClick={() => (kind === "date" ? onDay(value) : onValue(value))}>
            {label}
          </Button>
        ))}
    </div>
  );
}
