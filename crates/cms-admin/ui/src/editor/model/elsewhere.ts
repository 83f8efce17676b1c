// Whether a text stands in another place by now: somebody split the block that it was in, or put both versions one after the other.

import type { Conflict, Values } from "~/editing/merge";

import { blockText } from "../fields/plain";

/** Shorter words are everywhere. */
const LONG = /[\p{L}\p{N}\p{M}_]{4,}/gu;

/** Whether words of mine, which theirs has not in this place, came to stand in another place of the same list there. Whoever keeps mine has them twice. */
export function isElsewhere({ path, mine, theirs }: Conflict, sides: { base: Values; theirs: Values }): boolean {
  const [name = "", key] = path;
  if (key === undefined || mine === undefined) return false;
  const others = (values: Values) => wordsIn(itemsOf(values[name]).filter((item) => item._key !== key));
  const [here, were, are] = [wordsIn([theirs]), others(sides.base), others(sides.theirs)];
  return [...wordsIn([mine])].some((word) => !here.has(word) && are.has(word) && !were.has(word));
}

function itemsOf(list: unknown): Values[] {
  return Array.isArray(list) ? (list as Values[]) : [];
}

function wordsIn(items: unknown[]): Set<string> {
  return new Set(items.flatMap((item) => blockText(item).match(LONG) ?? []));
}
