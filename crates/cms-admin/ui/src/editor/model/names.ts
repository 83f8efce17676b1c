// What places in an entry are called.

import { useLingui } from "@lingui/react/macro";

import { useSession } from "./context";
import { PUBLISHED_AT, SLUG, type Field } from "./values";

/** Names a place by its path: a field, and the row in it. */
export function usePlaceName(): (path: string | string[]) => string {
  return usePlaceNameAmong(useSession().opened);
}

/** The same for an entry that is not open. */
export function usePlaceNameAmong(opened: readonly Field[]): (path: string | string[]) => string {
  const { t } = useLingui();
  const others: Record<string, string> = {
    [SLUG]: t`Slug`,
    slug: t`Slug`,
    locale: t`Language`,
    [PUBLISHED_AT]: t`Publication date`,
    seoTitle: t`Title for search engines`,
    seoDescription: t`Description for search engines`,
    seoImage: t`Image for previews`,
    seoCanonical: t`Preferred address`,
    seoNoIndex: t`Hidden from search engines`,
  };
  return (path) => {
    const parts = typeof path === "string" ? path.split(".") : path;
    const [name = "", ...rest] = parts[0] === "data" ? parts.slice(1) : parts[0] === "seo" ? [`seo${(parts[1] ?? "").replace(/^./, (first) => first.toUpperCase())}`] : parts;
    const field = opened.find(({ slug }) => slug === name);
    const label = field?.label ?? others[name] ?? name;
    const [row, inside] = rest;
    if (row === undefined || field?.type !== "repeater") return label;
    const part = field.validation?.subFields?.find(({ slug }) => slug === inside)?.label;
    // A text names the row by its place, as the server does; a list by its key, as merging does.
    const number = typeof path === "string" ? Number(row) + 1 : NaN;
    const where = Number.isNaN(number) ? t`a row` : t`row ${number}`;
    return [label, where, part].filter(Boolean).join(" › ");
  };
}
