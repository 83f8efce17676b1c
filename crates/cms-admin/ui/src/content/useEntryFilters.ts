// What a list of entries can be filtered by, as data.

import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";

import type { Collection, ContentField } from "~/api/types";
import type { FilterField, FilterKind } from "~/table/filters/model";

import { authorName, authors } from "./authors";

/** The kinds of fields that can have an index, and so be filtered by. */
const KINDS: Partial<Record<ContentField["type"], FilterKind>> = {
  string: "text",
  slug: "text",
  url: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  datetime: "date",
  select: "choice",
  multiSelect: "choice",
};

export function useEntryFilters(collection: Collection, locales: readonly string[]): FilterField[] {
  const { t } = useLingui();
  const { data } = useQuery(authors(collection.slug));
  const date = (id: string, label: string): FilterField => ({ id, label, kind: "date", group: "date" });
  return [
    {
      id: "status",
      label: t`Status`,
      kind: "choice",
      options: [
        { value: "draft", label: t`Draft` },
        { value: "published", label: t`Published` },
        { value: "scheduled", label: t`Scheduled` },
      ],
    },
    ...(data?.length ? [{ id: "authorId", label: t`Author`, kind: "choice" as const, options: data.map((author) => ({ value: author.id, label: authorName(author) })) }] : []),
    ...(locales.length > 1 ? [{ id: "locale", label: t`Language`, kind: "choice" as const, options: locales.map((locale) => ({ value: locale, label: locale })) }] : []),
    date("updatedAt", t`Updated`),
    date("publishedAt", t`Published`),
    date("createdAt", t`Created`),
    ...(collection.fields ?? []).flatMap((field) => declared(field) ?? []),
  ];
}

/** The filter of a declared field; nothing where its type has no order to look in. */
export function declared({ slug, label, type, index, validation }: ContentField): FilterField | undefined {
  const kind = KINDS[type];
  if (!kind) return undefined;
  const options = kind === "choice" ? validation?.options?.map((value) => ({ value, label: value })) : undefined;
  return {
    id: slug,
    label,
    kind,
    ...(options ? { options } : {}),
    ...(kind === "choice" ? { operators: ["in", "is", "empty"] as const } : {}),
    ...(kind === "date" ? { operators: ["atLeast", "atMost", "between", "is", "empty"] as const } : {}),
    ...(kind === "boolean" ? { operators: ["is", "empty"] as const } : {}),
    ...(type === "integer" ? { isWhole: true } : {}),
    ...(index?.state === "ready" ? {} : { unavailable: index ? ("building" as const) : ("notIndexed" as const) }),
  };
}
