// What holds for all content of the site.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import { isZone } from "~/lib/zone";

/** Asked for once: it changes with the server's configuration, which it reads when it starts. */
const site = queryOptions({ queryKey: ["site"], queryFn: () => answer(api.GET("/site")), staleTime: Infinity });

/** The languages of the content, that of new entries first; none until they are known. */
export function useLocales(): readonly string[] {
  return useQuery(site).data?.locales ?? [];
}

/** The time zone that dates are meant in: the site's, or that of whoever looks where it has none. One that the browser does not know is told as UTC. */
export function useTimeZone(): string {
  const zone = useQuery(site).data?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isZone(zone) ? zone : "UTC";
}
