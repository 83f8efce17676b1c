// Instants as the clock on the wall of this browser's zone has them.

/** An instant as a date and time without a zone, as fields of the browser have them. */
export function localOf(instant: string | Date): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant of a date and time without a zone. */
export function instantOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** The zone by name, with its distance from UTC at an instant, which is another one in summer. */
export function zoneName(locale: string, instant?: string): string {
  const at = instant && !Number.isNaN(Date.parse(instant)) ? new Date(instant) : new Date();
  const part = (timeZoneName: "long" | "shortOffset") =>
    new Intl.DateTimeFormat(locale, { timeZoneName }).formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [name, offset] = [part("long"), part("shortOffset")];
  return name === offset || offset === "GMT" ? name : `${name} (${offset})`;
}
