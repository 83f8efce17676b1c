// Joins class names.

/** The names that are there, with a space between. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
