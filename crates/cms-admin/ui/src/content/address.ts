// Where entries are on the site.

import type { Collection } from "~/api/types";

/** The path of an entry on the site; none where entries have no address. */
export function addressOf({ urlPattern, slug: collection, routable }: Collection, { id, locale, slug }: { id?: string | undefined; locale: string; slug: string }): string | undefined {
  if (!routable) return undefined;
  const parts: Record<string, string> = { id: id ?? "…", locale, slug, collection };
  return (urlPattern ?? "/{collection}/{slug}").replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
}
