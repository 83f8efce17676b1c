// How much can be pasted at once, so that the page stays alive.

/** The longest text that is taken in, in characters: a thick book. */
export const MAX_TEXT = 2_000_000;
/** The longest HTML that is read. What is longer comes in as its words alone. */
export const MAX_HTML = 3_000_000;
/** The most blocks at once. */
export const MAX_BLOCKS = 10_000;
/** The longest stretch without a line break. Browsers stand still over longer ones. */
export const MAX_LINE = 20_000;

/** Lines that are too long, cut between words where there are any. */
export function cut(line: string): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > MAX_LINE) {
    const space = rest.lastIndexOf(" ", MAX_LINE);
    let at = space > MAX_LINE / 2 ? space + 1 : MAX_LINE;
    // Letters that are made of two codes stay whole.
    if (/[\uD800-\uDBFF]/.test(rest[at - 1] ?? "")) at -= 1;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}
