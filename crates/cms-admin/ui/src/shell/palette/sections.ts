// What is shown of all that can be chosen, and in which order.

import type { Command } from "../commands";
import { score, type Exactness } from "./fuzzy";

/** Headings, in the order in which they are shown to whoever has typed nothing. */
export const GROUPS = ["recent", "page", "go", "create", "actions", "entries", "people", "lists"] as const;
export type Group = (typeof GROUPS)[number];

/** Something that can be chosen. */
export interface Item extends Command {
  group: Group;
  /** Address of a screen: it can be opened in a new tab. */
  to?: string;
  search?: { q: string };
  /** What tells it from others of the same name. */
  hint?: string;
  /** How exactly its name has to have what is typed. */
  by?: Exactness;
  /** It is offered first the next time. What does something at once is not: the first key would do it again. */
  isKept?: boolean;
}

export interface Section {
  group: Group;
  items: Item[];
}

/** How many of a group are shown: whoever looks for another one types on. */
export const MOST = 8;
/** How many are shown before anything is typed. */
const AT_FIRST: Partial<Record<Group, number>> = { go: 40, create: 6, entries: 0, people: 0, lists: 0 };

/** What is shown before anything is typed. */
export function atFirst(items: readonly Item[], recent: readonly Item[]): Section[] {
  const all = [...recent.map((item): Item => ({ ...item, group: "recent" })), ...items];
  return GROUPS.map((group) => ({ group, items: all.filter((item) => item.group === group).slice(0, AT_FIRST[group]) })).filter(({ items }) => items.length > 0);
}

/**
 * What fits a text. `late` was found by the server, and comes after what was known: nobody who presses a key gets something else than what was first
 * when they pressed it.
 */
export function fitting(items: readonly Item[], late: readonly Item[], typed: string): Section[] {
  const scored = items
    .map((item) => ({ item, score: Math.max(score(item.label, typed, item.by) * 2, score(item.words ?? "", typed, item.by)) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
  const known = new Set(scored.map(({ id }) => id));
  const all = [...scored, ...late.filter(({ id }) => !known.has(id))];
  // Groups stay together, the one with the best hit first.
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups.map((group) => ({ group, items: all.filter((item) => item.group === group).slice(0, MOST) }));
}
