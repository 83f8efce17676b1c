// Formats of the browser. Each is made once: making one takes longer than a hundred uses of it.

type Options = Record<string, unknown>;

const made = new Map<string, unknown>();

/** A format of some kind, for a language and with some options. */
function kept<O extends object, F>(kind: string, make: (locale: string, options: O) => F, locale: string, options: O): F {
  const key = JSON.stringify([kind, locale, options as Options]);
  let format = made.get(key) as F | undefined;
  if (format === undefined) {
    format = make(locale, options);
    made.set(key, format);
  }
  return format;
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions) => kept("date", Intl.DateTimeFormat, locale, options);

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}) => kept("number", Intl.NumberFormat, locale, options);

export const relativeFormat = (locale: string) => kept("relative", (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options), locale, { numeric: "auto" });
