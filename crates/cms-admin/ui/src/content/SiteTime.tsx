// An instant that somebody planned or wrote, in lists.

import { useFormat } from "~/lib/format";

import { useSiteTime } from "./plan";

/** By the clocks of the site, or as what it is from now, as in `in 3 days`. */
export function SiteTime({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  const siteTime = useSiteTime();
  const { relative } = useFormat();
  return isRelative ? <span title={siteTime(at)}>{relative(at)}</span> : siteTime(at);
}
