// What two people made of the same values, put together: by field, and in rich text and repeaters by block and row.
//
// `cms_domain::merge` is the same on the server. Both are held to `merge_vectors.json` there: what the browser shows is what the server would do.

import { isSame } from "~/lib/same";

/** How a value is put together from two. */
export type Shape =
  /** One is taken. */
  | "whole"
  /** Items with keys, of which each is taken whole: blocks of rich text. */
  | "items"
  /** Items with keys whose members are put together one by one: rows of a repeater. */
  | { rows: Shapes };

/** By name of a member. Others are taken whole. */
export type Shapes = Record<string, Shape>;

export type Values = Record<string, unknown>;

/** What both changed, each in another way. */
export interface Conflict {
  /** Names of members and keys of items, from the outside in. */
  path: string[];
  /** What there was, what one made of it and what the other did; absent where there was none, or where it was removed. */
  base?: unknown;
  mine?: unknown;
  theirs?: unknown;
}

/** What is to become of a conflict. Both is for items, which can stand one after the other. */
export type Choice = "mine" | "theirs" | "both";

export interface Merged {
  value: Values;
  /** Where the value has theirs, or mine where they removed something, until somebody chose. */
  conflicts: Conflict[];
}

/** What stands for the order of a list in the path of a conflict. No key of an item is empty. */
export const ORDER = "";

/** The name of a conflict, by which one chooses. */
export function nameOf(path: string[]): string {
  return JSON.stringify(path);
}

/** Puts together what was made of some values on two sides. */
export function merge(base: Values, mine: Values, theirs: Values, shapes: Shapes, choices: ReadonlyMap<string, Choice> = new Map()): Merged {
  const merging = new Merging(choices);
  return { value: merging.members(base, mine, theirs, shapes, []), conflicts: merging.conflicts };
}

class Merging {
  readonly conflicts: Conflict[] = [];
  readonly #choices: ReadonlyMap<string, Choice>;

  constructor(choices: ReadonlyMap<string, Choice>) {
    this.#choices = choices;
  }

  members(base: Values, mine: Values, theirs: Values, shapes: Shapes, path: string[]): Values {
    const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const value: Values = {};
    for (const name of names) {
      const part = this.part(base[name], mine[name], theirs[name], shapes[name] ?? "whole", [...path, name]);
      if (part !== undefined) value[name] = part;
    }
    return value;
  }

  private part(base: unknown, mine: unknown, theirs: unknown, shape: Shape, path: string[]): unknown {
    const taken = plain(base, mine, theirs);
    if (taken) return taken.value;
    if (shape !== "whole" && isKeyed(mine) && isKeyed(theirs) && (base === undefined || base === null || isKeyed(base))) {
      return this.items(isKeyed(base) ? base : [], mine, theirs, shape, path);
    }
    return this.disputed({ path, base, mine, theirs }) === "mine" ? mine : theirs;
  }

  private items(base: Item[], mine: Item[], theirs: Item[], shape: Exclude<Shape, "whole">, path: string[]): unknown[] {
    const [was, ours, others] = [byKey(base), byKey(mine), byKey(theirs)];
    const items = new Map<string, Item[]>();
    const taken = new Set([...ours.keys(), ...others.keys()]);
    for (const key of [...taken]) {
      const kept = this.item(was.get(key), ours.get(key), others.get(key), shape, [...path, key], { taken, others });
      if (kept.length > 0) items.set(key, kept);
    }
    return this.order([...was.keys()], [...ours.keys()], [...others.keys()], path)
      .flatMap((key) => items.get(key) ?? []);
  }

  private item(base: Item | undefined, mine: Item | undefined, theirs: Item | undefined, shape: Exclude<Shape, "whole">, path: string[], list: Around): Item[] {
    const taken = plain(base, mine, theirs);
    if (taken) return taken.value ? [taken.value] : [];
    if (shape !== "items" && mine && theirs) return [this.members(base ?? {}, mine, theirs, shape.rows, path) as Item];
    const choice = this.disputed({ path, base, mine, theirs });
    if (choice === "both" && mine && theirs) return [theirs, ...beside(mine, list)];
    if (choice === undefined) return [theirs ?? mine].filter((item) => item !== undefined);
    return [choice === "mine" ? mine : choice === "theirs" ? theirs : (mine ?? theirs)].filter((item) => item !== undefined);
  }

  /** All keys of both sides, in an order that keeps what each of them moved. */
  private order(base: string[], mine: string[], theirs: string[], path: string[]): string[] {
    const isCommon = intersection(base, mine, theirs);
    const [was, ours, others] = [base.filter(isCommon), mine.filter(isCommon), theirs.filter(isCommon)];
    if (isSame(ours, was) || isSame(ours, others)) return inserted(theirs, mine);
    if (isSame(others, was)) return inserted(mine, theirs);
    const [moved, movedThere] = [moves(was, ours), moves(was, others)];
    const isDisputed = [...moved].some((key) => movedThere.has(key));
    if (!isDisputed) return inserted(theirs.filter((key) => !moved.has(key)), mine);
    const isMine = this.disputed({ path: [...path, ORDER], base: was, mine: ours, theirs: others }) === "mine";
    return isMine ? inserted(mine, theirs) : inserted(theirs, mine);
  }

  /** What was chosen for a conflict; one for which nothing was is noted. */
  private disputed(conflict: Conflict): Choice | undefined {
    const choice = this.#choices.get(nameOf(conflict.path));
    if (choice === undefined) this.conflicts.push(conflict);
    return choice;
  }
}

interface Item extends Values {
  _key: string;
}

/** The list that an item is in: the keys that there are, and the items of the others. */
interface Around {
  taken: Set<string>;
  others: ReadonlyMap<string, Item>;
}

/** Mine with a key that nobody has, to stand beside theirs; nothing where another tab has put it there already. */
function beside(mine: Item, { taken, others }: Around): Item[] {
  let copy = { ...mine, _key: `${mine._key}+` };
  while (taken.has(copy._key)) {
    if (isSame(others.get(copy._key), copy)) return [];
    copy = { ...copy, _key: `${copy._key}+` };
  }
  taken.add(copy._key);
  return [copy];
}

/** What becomes of a value that not both sides changed, or both in the same way. */
function plain<T>(base: T, mine: T, theirs: T): { value: T } | undefined {
  if (isSame(mine, theirs) || isSame(base, mine)) return { value: theirs };
  return isSame(base, theirs) ? { value: mine } : undefined;
}

/** Whether a value is a list of objects with a key each. */
function isKeyed(value: unknown): value is Item[] {
  if (!Array.isArray(value)) return false;
  const keys = value.map((item: unknown) => (typeof item === "object" && item !== null ? (item as Item)._key : undefined));
  return keys.every((key) => typeof key === "string" && key !== "") && new Set(keys).size === keys.length;
}

function byKey(items: Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item._key, item]));
}

function intersection(...lists: string[][]): (key: string) => boolean {
  const sets = lists.map((list) => new Set(list));
  return (key) => sets.every((set) => set.has(key));
}

/** A list with the keys of another one that it lacks, each behind the one that it is behind there. */
function inserted(into: string[], from: string[]): string[] {
  const known = new Set(into);
  const behind = new Map<string | undefined, string[]>();
  let last: string | undefined;
  for (const key of from) {
    if (known.has(key)) last = key;
    else behind.set(last, [...(behind.get(last) ?? []), key]);
  }
  return [...(behind.get(undefined) ?? []), ...into.flatMap((key) => [key, ...(behind.get(key) ?? [])])];
}

/** The fewest keys that one moves to make one order of another. */
function moves(from: string[], to: string[]): Set<string> {
  const place = new Map(from.map((key, n) => [key, n]));
  const places = to.map((key) => place.get(key) ?? 0);
  // The longest run that is in order already: at each length the place that it ends with, and where each came from.
  const ends: number[] = [];
  const before: number[] = [];
  places.forEach((at, n) => {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    before[n] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = n;
  });
  const moved = new Set(to);
  for (let n = ends.at(-1) ?? -1; n >= 0; n = before[n] ?? -1) moved.delete(to[n] ?? "");
  return moved;
}
