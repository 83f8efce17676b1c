// An entry as one set of values, so that its address and what search engines are told are kept, merged and sent as its fields are.

import type { Issue } from "~/api/errors";
import type { components } from "~/api/schema";
import type { Shapes, Values } from "~/editing/merge";
import { hasInexact } from "~/lib/exact";

type Schemas = components["schemas"];

export type Item = Schemas["Item"];
export type Collection = Schemas["CollectionView"];
export type Field = Schemas["FieldView"];
export type Validation = Schemas["Validation"];
export type SubField = NonNullable<Validation["subFields"]>[number];

/** Names of what is no field. Names of fields have no capitals, so that no field has one of these. */
export const SLUG = "entrySlug";
export const PUBLISHED_AT = "publishedAt";
const SEO = { title: "seoTitle", description: "seoDescription", image: "seoImage", canonical: "seoCanonical", noIndex: "seoNoIndex" } as const;

export type SeoName = (typeof SEO)[keyof typeof SEO];

export const SEO_NAMES: readonly SeoName[] = Object.values(SEO);

/** Whether a name is of what every entry may have. */
export function isOwnName(name: string): boolean {
  return [SLUG, PUBLISHED_AT, ...SEO_NAMES].includes(name);
}

const SEO_MEMBERS = Object.entries(SEO) as [keyof typeof SEO, SeoName][];

/** What an entry or a revision says, by name. */
export function valuesOf({ data, slug, seo, publishedAt }: { data: Values; slug: string | null; seo?: Schemas["Seo"] | null; publishedAt?: string | null }): Values {
  const values: Values = { ...data, [SLUG]: slug };
  if (publishedAt !== undefined) values[PUBLISHED_AT] = publishedAt;
  // Not set and false are the same to the server.
  if (seo) for (const [member, name] of SEO_MEMBERS) values[name] = seo[member] || null;
  return values;
}

/** A change of some values, as the server takes it. */
export function bodyOf(changes: Values) {
  const data: Values = {};
  const seo: Schemas["SeoPatch"] = {};
  const body: { data?: Values; slug?: string | null; publishedAt?: string | null; seo?: Schemas["SeoPatch"] } = {};
  const members = new Map<string, keyof typeof SEO>(SEO_MEMBERS.map(([member, name]) => [name, member]));
  for (const [name, value] of Object.entries(changes)) {
    const member = members.get(name);
    if (name === SLUG) body.slug = value as string | null;
    else if (name === PUBLISHED_AT) body.publishedAt = value as string | null;
    else if (member) Object.assign(seo, { [member]: value });
    else data[name] = value;
  }
  if (Object.keys(data).length > 0) body.data = data;
  if (Object.keys(seo).length > 0) body.seo = seo;
  return body;
}

/** How values are put together when two people changed them. */
export function shapesOf(fields: Field[]): Shapes {
  return Object.fromEntries(
    fields.flatMap(({ slug, type }): [string, Shapes[string]][] => {
      if (type === "portableText") return [[slug, "items"]];
      return type === "repeater" ? [[slug, { rows: {} }]] : [];
    }),
  );
}

/** Where a value is on the screen that the server has a problem with: its name first. */
export function placeOf(path: string): string[] {
  const [first = "", ...rest] = path.split(".");
  if (first === "data") return rest;
  if (first === "slug") return [SLUG, ...rest];
  const member = first === "seo" ? SEO_MEMBERS.find(([member]) => member === rest[0]) : undefined;
  return member ? [member[1], ...rest.slice(1)] : [first, ...rest].filter(Boolean);
}

/** An issue with its path as the draft knows it. */
export function placed(issue: Issue): Issue {
  return { ...issue, path: placeOf(issue.path).join(".") };
}

/** What was typed and is no value yet, such as half a number: it stays on the screen and in this browser, and is not sent. */
export interface Unread {
  $typed: string;
}

export function unread(text: string): Unread {
  return { $typed: text };
}

export function isUnread(value: unknown): value is Unread {
  return typeof value === "object" && value !== null && Object.keys(value).length === 1 && typeof (value as Unread).$typed === "string";
}

/** What in some values is not sent as it is, by where it is. Rows of repeaters are looked through as well. */
export function unreadIn(values: Values, fields: Field[]): Issue[] {
  const inFields = fields.flatMap(({ slug, type, validation }) => {
    const value = values[slug];
    if (type !== "repeater" || !Array.isArray(value)) return unreadAt(slug, value, type);
    const typeOf = (name: string) => validation?.subFields?.find(({ slug }) => slug === name)?.type;
    return value.flatMap((row: unknown, n) => (typeof row === "object" && row !== null ? Object.entries(row).flatMap(([name, part]) => unreadAt(`${slug}.${n}.${name}`, part, typeOf(name))) : []));
  });
  return [...inFields, ...unreadAt(PUBLISHED_AT, values[PUBLISHED_AT])];
}

function unreadAt(path: string, value: unknown, type?: Field["type"]): Issue[] {
  if (isUnread(value)) return [value.$typed === "" ? { path, code: "REQUIRED", message: "is required" } : { path, code: "UNREADABLE", message: "cannot be read" }];
  // It is another number here than where it came from.
  return type === "json" && hasInexact(value) ? [{ path, code: "INEXACT", message: "has a number that is not exact" }] : [];
}

/** Whether there is a value: an empty list is one, an empty text is none. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
