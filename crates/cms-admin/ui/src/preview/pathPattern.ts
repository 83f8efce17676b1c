// Where a collection's entries are on the site, as a preview link is asked for it.

/** The pattern of a collection as one of paths, which have fewer characters unencoded. */
export function pathOf(pattern: string): string {
  return pattern.replace(/[^\x21-\x7e]+|["<>`|^]/gu, encodeURIComponent);
}
