// Dates and numbers as people of the chosen language write them in their region.

import { useLingui } from "@lingui/react";

import { dateFormat, numberFormat, relativeFormat } from "./intl";
import { useRegional } from "./region";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const SPANS: [string, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const SIZES = ["kilobyte", "megabyte", "gigabyte"];

/** A size as in `36 bytes`, or `1.2 MB`: in the largest unit of which there is at least one, once it is rounded. */
export function sizeText(locale: string, count: number): string {
  if (count < 1000) return numberFormat(locale, { style: "unit", unit: "byte", unitDisplay: "long" }).format(count);
  const rounded = (power: number) => Math.round((count / 1000 ** power) * 10) / 10;
  const power = SIZES.findIndex((_, n) => rounded(n + 1) < 1000) + 1 || SIZES.length;
  return numberFormat(locale, { style: "unit", unit: SIZES[power - 1] ?? "byte", unitDisplay: "short" }).format(rounded(power));
}

/** Formats for the chosen language and region. */
export function useFormat() {
  const { i18n } = useLingui();
  const locale = useRegional(i18n.locale);
  return {
    /** As in `20 November 2026`. */
    date: (instant: string | Date) => dateFormat(locale, { dateStyle: "long" }).format(new Date(instant)),
    /** As in `20 Nov 2026, 14:05`. */
    dateTime: (instant: string | Date) => dateFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant)),
    /** As in `14:05`. */
    time: (instant: string | Date | number) => dateFormat(locale, { timeStyle: "short" }).format(new Date(instant)),
    /** As in `2 hours ago`, or `in 3 days`. */
    relative: (instant: string | Date) => {
      const seconds = (new Date(instant).getTime() - Date.now()) / 1000;
      const format = relativeFormat(locale);
      const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
      return unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, "second");
    },
    /** As in `30 days`, or `90 minutes`: in the largest unit that it is a whole number of. */
    duration: (seconds: number) => {
      const [unit, length] = SPANS.find(([, length]) => seconds % length === 0) ?? ["second", 1];
      return numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
    },
    /** As in `1,234`. */
    number: (value: number) => numberFormat(locale).format(value),
    /** As in `45%`, of a share of 1. */
    percent: (share: number) => numberFormat(locale, { style: "percent" }).format(share),
    /** As in `1.2 MB`. */
    bytes: (count: number) => sizeText(locale, count),
    /** As in `a, b and c`. */
    list: (values: string[]) => new Intl.ListFormat(locale).format(values),
  };
}
