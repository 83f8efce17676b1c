// What to look at before an entry is published.

import type { Issue } from "~/api/errors";
import type { Values } from "~/editing/merge";

import { nameIn } from "./context";
import { isEmpty, type Collection, type Field } from "./values";

export interface Check {
  /** Missing and wrong keep it from being published; the others only make it better. */
  kind: "missing" | "wrong" | "alt" | "description";
  path: string;
}

export function checksOf(collection: Collection, fields: Field[], values: Values, issues: Issue[]): Check[] {
  const missing = fields.filter(({ slug, required }) => required && isEmpty(values[slug])).map(({ slug }) => slug);
  const wrong = issues.map(({ path }) => path).filter((path) => !missing.includes(nameIn(path)));
  const images = fields.filter(({ slug, type }) => type === "image" && !isEmpty(values[slug]) && isEmpty((values[slug] as { alt?: unknown }).alt));
  const isUndescribed = collection.hasSeo && isEmpty(values.seoDescription) && values.seoNoIndex !== true;
  return [
    ...missing.map((path): Check => ({ kind: "missing", path })),
    ...wrong.map((path): Check => ({ kind: "wrong", path })),
    ...images.map(({ slug }): Check => ({ kind: "alt", path: slug })),
    ...(isUndescribed ? [{ kind: "description" as const, path: "seoDescription" }] : []),
  ];
}

export function isBlocked(checks: Check[]): boolean {
  return checks.some(({ kind }) => kind === "missing" || kind === "wrong");
}
