// What people type for a date or a time, in the order and with the words of their language.

import { CalendarDate, getLocalTimeZone, Time, toCalendar, today, GregorianCalendar } from "@internationalized/date";

import { dateFormat } from "~/lib/intl";

type Part = "day" | "month" | "year";

/** Digits of any script that the browser counts in, as those of English. */
function latin(text: string): string {
  // Each script of digits begins at a zero and goes on to its nine.
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });
}

/** The order of day, month and year. */
function orderOf(locale: string): Part[] {
  const parts = dateFormat(locale, { calendar: "gregory", year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(new Date(2026, 10, 25));
  return parts.map(({ type }) => type).filter((type): type is Part => type === "day" || type === "month" || type === "year");
}

/** The number of a month that is named by its beginning, as in `nov`. */
function monthOf(word: string, locale: string): number | undefined {
  const names = Array.from({ length: 12 }, (_, month) =>
    (["long", "short"] as const).map((style) => fold(dateFormat(locale, { month: style, day: "numeric", calendar: "gregory" }).formatToParts(new Date(2026, month, 1)).find(({ type }) => type === "month")?.value ?? "", locale)),
  );
  const wanted = fold(word, locale);
  const found = names.flatMap((forms, month) => (forms.some((form) => form === wanted || (wanted.length >= 3 && form.startsWith(wanted))) ? [month + 1] : []));
  return found.length === 1 ? found[0] : undefined;
}

function fold(word: string, locale: string): string {
  return word.normalize("NFKD").replace(/\p{M}|[.\u200e\u200f]/gu, "").toLocaleLowerCase(locale);
}

/** A day that is named by how far it is from today, as in `tomorrow`. */
function relative(text: string, locale: string, zone: string): CalendarDate | undefined {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const days = [-1, 0, 1, 2].find((days) => fold(words.format(days, "day"), locale) === fold(text, locale));
  return days === undefined ? undefined : today(zone).add({ days });
}

/** The date that a text says, or undefined. A year that is left out is the present one. */
export function readDate(typed: string, locale: string, zone = getLocalTimeZone()): CalendarDate | undefined {
  const text = latin(typed).trim();
  const near = relative(text, locale, zone);
  if (near) return near;
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dateFrom(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const months = words.map((word) => monthOf(word, locale)).filter((month) => month !== undefined);
  // What stands beside the numbers may be a day of the week; two months are no date.
  if (months.length > 1 || (words.length > 0 && months.length === 0)) return undefined;
  const numbers = text.match(/\d+/g) ?? [];
  const isDense = words.length === 0 && numbers.length === 1 && /^\d{8}$/.test(text);
  const order = orderOf(locale).filter((part) => months.length === 0 || part !== "month");
  const given = isDense ? split(text, order) : numbers;
  const asked = given.length === order.length ? order : order.filter((part) => part !== "year");
  if (given.length !== asked.length) return undefined;
  const said = Object.fromEntries(asked.map((part, n) => [part, given[n] ?? ""])) as Partial<Record<Part, string>>;
  return dateFrom(yearFrom(said.year, zone), months[0] ?? Number(said.month), Number(said.day));
}

/** Eight digits without anything between them. */
function split(text: string, order: Part[]): string[] {
  let at = 0;
  return order.map((part) => text.slice(at, (at += part === "year" ? 4 : 2)));
}

/** A year of two digits is one of this century. */
function yearFrom(text: string | undefined, zone: string): number {
  if (text === undefined) return today(zone).year;
  return text.length === 2 ? 2000 + Number(text) : text.length === 4 ? Number(text) : NaN;
}

/** A date that there is: a calendar of the library would take the last day of the month instead. */
function dateFrom(year: number, month: number, day: number): CalendarDate | undefined {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  const date = new CalendarDate(year, month, day);
  return date.day === day && date.month === month ? date : undefined;
}

/** The time that a text says, or undefined. */
export function readTime(typed: string, locale: string): Time | undefined {
  const text = latin(typed).trim();
  const found = /^(?<before>\D*?)\s*(?<hour>\d{1,2})(?:\s*[:.h٫،]\s*|(?=\d{2}(?!\d)))?(?<minute>\d{2})?(?:[:.](?<second>\d{2}))?\s*(?<behind>\D*)$/iu.exec(text);
  if (!found?.groups) return undefined;
  const { hour = "", minute = "0", second = "0", before = "", behind = "" } = found.groups;
  const half = halfOf(`${before}${behind}`, locale);
  if (half === undefined) return undefined;
  const said = Number(hour);
  if (half !== "none" && (said < 1 || said > 12)) return undefined;
  const full = half === "none" ? said : (said % 12) + (half === "pm" ? 12 : 0);
  return full <= 23 && Number(minute) <= 59 && Number(second) <= 59 ? new Time(full, Number(minute), Number(second)) : undefined;
}

/** The half of the day that a word names. Undefined for a word that names none. */
function halfOf(word: string, locale: string): "am" | "pm" | "none" | undefined {
  const said = fold(word, locale).replace(/\s/g, "");
  if (said === "" || said === "h" || said === "uhr") return "none";
  const name = (hour: number) => dateFormat(locale, { hour: "numeric", hour12: true }).formatToParts(new Date(2026, 0, 1, hour)).find(({ type }) => type === "dayPeriod")?.value ?? "";
  const clean = (text: string) => fold(text, locale).replace(/\s/g, "");
  if (said === clean(name(9)) || said === "am" || said === "a") return "am";
  if (said === clean(name(21)) || said === "pm" || said === "p") return "pm";
  return undefined;
}

/** A date as people of a language write it in numbers. */
export function writeDate(date: CalendarDate, locale: string): string {
  const shown = toCalendar(date, new GregorianCalendar());
  return dateFormat(locale, { calendar: "gregory", timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" }).format(shown.toDate("UTC")).replace(/[\u200e\u200f]/g, "");
}

/** A time as people of a language write it. */
export function writeTime(time: Time, locale: string): string {
  const at = new Date(Date.UTC(2026, 0, 1, time.hour, time.minute, time.second));
  return dateFormat(locale, { timeZone: "UTC", timeStyle: time.second ? "medium" : "short" }).format(at).replace(/[\u202f\u00a0]/g, " ").replace(/[\u200e\u200f]/g, "");
}
