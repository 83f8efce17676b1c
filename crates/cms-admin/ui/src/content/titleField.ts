// The field that names an entry.

import type { Collection, ContentField } from "~/api/types";

/** The field that names an entry: the one that the collection says, else a text called `title` or `name`, as the server has it. */
export function titleField({ titleField, fields }: Collection): ContentField | undefined {
  const texts = (fields ?? []).filter(({ type }) => type === "string" || type === "text");
  if (titleField) return fields?.find(({ slug }) => slug === titleField);
  return texts.find(({ slug }) => slug === "title") ?? texts.find(({ slug }) => slug === "name");
}
