// The entry as a site would read it if everything on the screen were saved: in the same shape as a preview link answers it, so that a page shows both alike.

import type { components } from "~/api/schema";
import type { Values } from "~/editing/merge";
import { bodyOf, isEmpty, isUnread, type Collection, type Item } from "~/editor/model/values";
import { isSame } from "~/lib/same";

/** What a preview link answers of an entry. What else the editor knows of it is nothing for the site. */
const SHOWN = ["id", "type", "slug", "status", "data", "authorId", "createdAt", "updatedAt", "publishedAt", "liveRevisionId", "locale", "translationGroup"] as const;

export type Entry = Pick<Item, (typeof SHOWN)[number]> & { seo?: components["schemas"]["Seo"] };

const NO_SEO: components["schemas"]["Seo"] = { title: null, description: null, image: null, canonical: null, noIndex: false };

/** The entry that the server has, with the values that are on the screen. */
export function entryOf(item: Item, values: Values, { hasSeo }: Pick<Collection, "hasSeo">): Entry {
  const { data = {}, slug = null, publishedAt = item.publishedAt, seo } = bodyOf(values);
  const known = Object.fromEntries(SHOWN.map((name) => [name, item[name]])) as unknown as Entry;
  const shown = Object.entries(data).map(([name, value]): [string, unknown] => [name, readable(value, item.data[name])]);
  return {
    ...known,
    slug,
    publishedAt: readable(publishedAt, item.publishedAt) as string | null,
    data: Object.fromEntries(shown.filter(([, value]) => value !== undefined && value !== null)),
    ...(hasSeo ? { seo: { ...NO_SEO, ...Object.fromEntries(Object.entries(seo ?? {}).filter(([, value]) => !isEmpty(value))) } } : {}),
  };
}

/** A value without what is no value yet, such as half a number: there, what the server has is shown, and in rows nothing. */
function readable(value: unknown, stored: unknown): unknown {
  if (isUnread(value)) return stored;
  if (!Array.isArray(value) || !value.some(hasUnread)) return value;
  return value.map((row: unknown) => (hasUnread(row) ? Object.fromEntries(Object.entries(row).filter(([, part]) => !isUnread(part))) : row));
}

function hasUnread(row: unknown): row is object {
  return typeof row === "object" && row !== null && Object.values(row).some(isUnread);
}

/** What of an entry is other than before, as it is sent; nothing where nothing is. A long text that nobody touched is not looked through. */
export function changesOf(before: Entry, entry: Entry): Partial<Entry> | undefined {
  const { data: dataBefore, ...restBefore } = before;
  const { data, ...rest } = entry;
  const changed = Object.entries(rest).filter(([name, value]) => !isSame(value, restBefore[name as keyof typeof restBefore]));
  const names = new Set([...Object.keys(data), ...Object.keys(dataBefore)]);
  const values = [...names].filter((name) => data[name] !== dataBefore[name]).map((name): [string, unknown] => [name, data[name] ?? null]);
  if (changed.length === 0 && values.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...(values.length > 0 ? { data: Object.fromEntries(values) } : {}) };
}
