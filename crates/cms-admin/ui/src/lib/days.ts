// Days of whoever looks, as in `2026-11-20`.

/** When a day begins where the reader is, or a day some days later; undefined for what is no day. */
export function dayBegins(day: string, later = 0): Date | undefined {
  const [year, month, date] = day.split("-").map(Number);
  const begins = new Date(year ?? NaN, (month ?? NaN) - 1, (date ?? NaN) + later);
  return Number.isNaN(begins.getTime()) ? undefined : begins;
}
