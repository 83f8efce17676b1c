// What a box is, in a sentence for those who hear the map.

import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";

import type { Box } from "./relations";

export function useSentence(): (box: Box, referrers: number) => string {
  const { t } = useLingui();
  return ({ label, isMissing, rows }, referrers) => {
    const [out, into] = [rows.length, referrers];
    if (isMissing) return t`${label}: this collection does not exist. ${plural(into, { one: "# field refers to it.", other: "# fields refer to it." })}`;
    return t`${label}: ${plural(out, { one: "# reference", other: "# references" })}, ${plural(into, { one: "# field refers to it", other: "# fields refer to it" })}`;
  };
}
