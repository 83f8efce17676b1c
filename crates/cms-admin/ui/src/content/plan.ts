// Instants that people plan and date things by: how they are said, and which can be planned.

import { useLingui } from "@lingui/react/macro";

import { dateFormat } from "~/lib/intl";
import { useRegional } from "~/lib/region";

import { useTimeZone } from "./site";

/**
 * Says an instant as the fields show it that it is typed into, which is by the clocks of the site: as in `20 Nov 2026, 14:05`. Where those of the
 * reader show something else, the zone is named.
 */
export function useSiteTime(): (instant: string) => string {
  const { i18n } = useLingui();
  const locale = useRegional(i18n.locale);
  const timeZone = useTimeZone();
  return (instant) => {
    const at = new Date(instant);
    const write = (options: Intl.DateTimeFormatOptions) =>
      dateFormat(locale, { day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit", ...options }).format(at);
    return write({ timeZone }) === write({}) ? write({}) : write({ timeZone, timeZoneName: "short" });
  };
}

/** Says why nothing can be planned for an instant, which may have to be later than another one. */
export function usePlanProblem(): (at: string | null, after?: string | null) => string | undefined {
  const { t } = useLingui();
  return (at, after = null) => {
    if (at === null) return t`Choose a date and a time.`;
    if (new Date(at) <= new Date()) return t`That time has passed. Choose a later one.`;
    return after !== null && new Date(at) <= new Date(after) ? t`Choose a time after it is published.` : undefined;
  };
}
