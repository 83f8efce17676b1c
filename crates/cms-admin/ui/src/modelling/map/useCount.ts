// How many entries a reference names, in words.

import { useLingui } from "@lingui/react/macro";

import type { Count } from "./relations";

export function useCount(): (count: Count) => string {
  const { t } = useLingui();
  return (count) => {
    switch (count) {
      case "one":
        return t`exactly one`;
      case "maybeOne":
        return t`at most one`;
      case "some":
        return t`at least one`;
      case "any":
        return t`any number`;
    }
  };
}
