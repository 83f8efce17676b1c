// What the board and the calendar can be filtered by, as data.

import { useLingui } from "@lingui/react/macro";

import { authorName } from "~/content/authors";
import { useMe } from "~/session/session";
import type { FilterField } from "~/table/filters/model";

import type { Names } from "./names";

/** Of more than this, one is found by typing. */
const MANY = 25;

export function useFilters({ collections, authors, locales }: Names, own: FilterField): FilterField[] {
  const { t } = useLingui();
  const me = useMe();
  const people = new Map([me, ...authors].map((author) => [author.id, authorName(author)]));
  const options = collections.map(({ slug, label }) => ({ value: slug, label }));
  return [
    ...(options.length > 1 ? [{ id: "collection", label: t`Collection`, kind: "choice" as const, options, operators: options.length > MANY ? (["is", "in"] as const) : (["in"] as const) }] : []),
    { id: "authorId", label: t`Author`, kind: "choice", options: [...people].map(([value, label]) => ({ value, label })) },
    ...(locales.length > 1 ? [{ id: "locale", label: t`Language`, kind: "choice" as const, options: locales.map((locale) => ({ value: locale, label: locale })) }] : []),
    own,
  ];
}
