// What names an entry, as the server has it.

import type { Collection, ContentField } from "~/api/types";

/** Where entries are named, of collections that do not say it. */
const USUAL = ["title", "name"];

/** The field that names an entry: the one that the collection says, else a text called `title` or `name`. */
export function titleField({ titleField, fields }: Collection): ContentField | undefined {
  if (titleField) return fields?.find(({ slug }) => slug === titleField);
  const texts = (fields ?? []).filter(({ type }) => type === "string" || type === "text" || type === "slug");
  return USUAL.map((usual) => texts.find(({ slug }) => slug === usual)).find(Boolean);
}

/** What its values call an entry; none where they leave it without a name. */
export function titleIn(collection: Collection, data: Record<string, unknown>): string | undefined {
  const titles = [titleField(collection)?.slug ?? "", ...USUAL].map((slug) => data[slug]);
  return titles.find((title): title is string => typeof title === "string" && title.trim() !== "")?.trim();
}

/** The field that a search looks through: what names an entry, as long as the database can look through it. */
export function searchedField(collection: Collection): ContentField | undefined {
  const title = titleField(collection);
  return title?.type === "string" && title.index?.state === "ready" ? title : undefined;
}
