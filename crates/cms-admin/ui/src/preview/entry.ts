// The entry as a site would read it if everything on the screen were saved: in the same shape as a preview link answers it, so that a page shows both alike.

import type { components } from "~/api/schema";
import type { Values } from "~/editing/merge";
import { bodyOf, isEmpty, isUnread, type Collection, type Field, type Item } from "~/editor/model/values";
import { isSame } from "~/lib/same";

import type { Part } from "./messages";

/** What a preview link answers of an entry. What else the editor knows of it is nothing for the site. */
const SHOWN = ["id", "type", "slug", "status", "data", "authorId", "createdAt", "updatedAt", "publishedAt", "liveRevisionId", "locale", "translationGroup"] as const;

export type Entry = Pick<Item, (typeof SHOWN)[number]> & { seo?: components["schemas"]["Seo"] };

const NO_SEO: components["schemas"]["Seo"] = { title: null, description: null, image: null, canonical: null, noIndex: false };

/** The entry that the server has, with the values that are on the screen. */
export function entryOf(item: Item, values: Values, { hasSeo }: Pick<Collection, "hasSeo">, fields: readonly Pick<Field, "slug" | "type">[]): Entry {
  const { data = {}, slug = null, publishedAt = item.publishedAt, seo } = bodyOf(values);
  const known = Object.fromEntries(SHOWN.map((name) => [name, item[name]])) as unknown as Entry;
  const repeaters = new Set(fields.filter(({ type }) => type === "repeater").map(({ slug }) => slug));
  const shown = Object.entries(data).map(([name, value]): [string, unknown] => [name, repeaters.has(name) ? readableRows(value) : readable(value, item.data[name])]);
  return {
    ...known,
    slug,
    publishedAt: readable(publishedAt, item.publishedAt) as string | null,
    data: Object.fromEntries(shown.filter(([, value]) => value !== undefined && value !== null)),
    ...(hasSeo ? { seo: { ...NO_SEO, ...Object.fromEntries(Object.entries(seo ?? {}).filter(([, value]) => !isEmpty(value))) } } : {}),
  };
}

/** A value; where it is none yet, such as half a number, what the server has. */
function readable(value: unknown, stored: unknown): unknown {
  return isUnread(value) ? stored : value;
}

/** Rows without what in them is no value yet. */
function readableRows(value: unknown): unknown {
  if (!Array.isArray(value) || !value.some(hasUnread)) return value;
  return value.map((row: unknown) => (hasUnread(row) ? Object.fromEntries(Object.entries(row).filter(([, part]) => !isUnread(part))) : row));
}

function hasUnread(row: unknown): row is object {
  return typeof row === "object" && row !== null && Object.values(row).some(isUnread);
}

/** The value of a field, whatever it is called. */
function valueIn(data: Values, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** What of an entry is other than before, as it is sent. */
export interface Changes {
  entry: Partial<Entry>;
  parts: Record<string, Part>;
}

/** What of an entry is other than before; nothing where nothing is. What nobody touched of a long text is not looked through. */
export function changesOf(before: Entry, entry: Entry): Changes | undefined {
  const { data: dataBefore, ...restBefore } = before;
  const { data, ...rest } = entry;
  const changed = Object.entries(rest).filter(([name, value]) => !isSame(value, restBefore[name as keyof typeof restBefore]));
  const values: [string, unknown][] = [];
  const parts: [string, Part][] = [];
  for (const name of new Set([...Object.keys(data), ...Object.keys(dataBefore)])) {
    const [value, valueBefore] = [valueIn(data, name), valueIn(dataBefore, name)];
    if (value === valueBefore) continue;
    const part = partOf(valueBefore, value);
    if (part) parts.push([name, part]);
    else values.push([name, value ?? null]);
  }
  if (changed.length + values.length + parts.length === 0) return undefined;
  return { entry: { ...Object.fromEntries(changed), ...(values.length > 0 ? { data: Object.fromEntries(values) } : {}) }, parts: Object.fromEntries(parts) };
}

/** Lists with fewer items are sent whole. */
const LONG = 20;

/** What is other in a long list, where most of it is the same. */
function partOf(before: unknown, value: unknown): Part | undefined {
  if (!Array.isArray(before) || !Array.isArray(value) || value.length < LONG) return undefined;
  const most = Math.min(before.length, value.length);
  let at = 0;
  while (at < most && before[at] === value[at]) at++;
  let same = 0;
  while (same < most - at && before[before.length - 1 - same] === value[value.length - 1 - same]) same++;
  const items = value.slice(at, value.length - same);
  return items.length < value.length / 2 ? { at, drop: before.length - at - same, items } : undefined;
}
