// What a list of entries is asked for: the parts of its address, and what of it the server is sent.

import type { Collection, ContentField, EntryQuery } from "~/api/types";
import { dayBegins } from "~/lib/days";
import { textOf } from "~/lib/search";
import type { Filter } from "~/table/filters/model";
import { readFilters, writeFilters } from "~/table/filters/text";

import { searchedField } from "./titleField";

/** What stands in the address of a list. */
export interface ListSearch {
  /** What is looked for in titles and addresses. */
  q?: string;
  filter?: string;
  /** What it is sorted by, with a minus in front of it for the highest first. */
  sort?: string;
  columns?: string;
}

export const listSearch = (search: Record<string, unknown>): ListSearch => textOf(search, "q", "filter", "sort", "columns");

/** Newest first. */
export const USUAL_SORT = "-updatedAt";

/** Behind every text that begins with another: no character is greater. */
const LAST = "\u{10FFFF}";

type Operand = string | number | boolean;
type FieldFilter = Operand | null | { in: Operand[] } | { contains: Operand } | Partial<Record<"gt" | "gte" | "lt" | "lte", Operand>>;

/** The name that a field of a collection has now: addresses, views and chosen columns can be older than it. */
export function newName({ fields }: Collection): (name: string) => string {
  const names = new Map(fields?.flatMap(({ slug, formerSlugs }) => formerSlugs.map((former) => [former, slug] as const)));
  return (name) => names.get(name) ?? name;
}

/** What stands in an address, with the names that fields have now. */
export function byNewNames(search: ListSearch, collection: Collection): ListSearch {
  const named = newName(collection);
  const { filter, sort, columns } = search;
  return {
    ...search,
    ...(filter && { filter: writeFilters(readFilters(filter).map((one) => ({ ...one, field: named(one.field) }))) }),
    ...(sort && { sort: sort.replace(/[^-].*/, named) }),
    ...(columns && { columns: columns.split(",").map(named).join(",") }),
  };
}

/** What the server is asked for, without paging and fields. */
export function questionOf(search: ListSearch, collection: Collection): EntryQuery {
  const { fields } = collection;
  const query: EntryQuery = {};
  const fieldFilters: Record<string, FieldFilter> = {};
  for (const filter of readFilters(search.filter)) {
    const [value = ""] = filter.values;
    if (filter.field === "status") query.status = value as NonNullable<EntryQuery["status"]>;
    else if (filter.field === "locale") query.locale = value;
    else if (filter.field === "authorId") query.authorId = value;
    else if (isDate(filter.field)) Object.assign(query, { dateField: filter.field }, datesOf(filter));
    else {
      const field = fields?.find(({ slug }) => slug === filter.field);
      // A field that is gone since the address was written asks for nothing.
      if (field) fieldFilters[field.slug] = fieldFilter(field, filter);
    }
  }
  const searched = searchedField(collection);
  if (search.q && searched) fieldFilters[searched.slug] = { contains: search.q };
  if (Object.keys(fieldFilters).length > 0) query.fieldFilters = JSON.stringify(fieldFilters);
  return query;
}

/** The order, as the server is asked for it. */
export function orderOf(sort: string | undefined): { orderBy: string; order: "asc" | "desc" } {
  const text = sort ?? USUAL_SORT;
  return text.startsWith("-") ? { orderBy: text.slice(1), order: "desc" } : { orderBy: text, order: "asc" };
}

const DATES = ["createdAt", "updatedAt", "publishedAt"] as const;
type DateField = (typeof DATES)[number];

function isDate(field: string): field is DateField {
  return DATES.some((date) => date === field);
}

/** The first and the last instant that pass a filter of days. */
export function datesOf({ operator, values }: Filter): Pick<EntryQuery, "dateFrom" | "dateTo"> {
  const [first = "", second = first] = values;
  const from = operator === "atMost" ? undefined : dayBegins(first)?.toISOString();
  const end = operator === "atLeast" ? undefined : dayBegins(operator === "between" ? second : first, 1);
  const to = end && new Date(end.getTime() - 1).toISOString();
  return { ...(from ? { dateFrom: from } : {}), ...(to ? { dateTo: to } : {}) };
}

function fieldFilter(field: ContentField, { operator, values }: Filter): FieldFilter {
  if (operator === "empty") return null;
  if (field.type === "datetime") return instants(operator, values);
  const [first = "", second = ""] = values.map((value) => operand(field, value));
  switch (operator) {
    case "in":
      return { in: values.map((value) => operand(field, value)) };
    case "contains":
      return { contains: first };
    case "begins":
      return { gte: first, lt: `${String(first)}${LAST}` };
    case "atLeast":
      return { gte: first };
    case "atMost":
      return { lte: first };
    case "between":
      return { gte: first, lte: second };
    case "is":
      return first;
  }
}

function instants(operator: Filter["operator"], [first = "", second = first]: readonly string[]): FieldFilter {
  const begins = dayBegins(first)?.toISOString() ?? "";
  const ends = dayBegins(operator === "between" ? second : first, 1)?.toISOString() ?? "";
  if (operator === "atLeast") return { gte: begins };
  return operator === "atMost" ? { lt: ends } : { gte: begins, lt: ends };
}

function operand({ type }: ContentField, value: string): Operand {
  if (type === "number" || type === "integer") return Number(value);
  return type === "boolean" ? value === "true" : value;
}
