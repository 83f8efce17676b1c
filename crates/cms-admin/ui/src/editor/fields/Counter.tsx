// How many characters a text has of those that it may have.

import { useLingui } from "@lingui/react/macro";

import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";

import { lengthOf } from "./length";
import type { Validation } from "../model/values";

export function Counter({ rules: { minLength, maxLength }, value }: { rules: Validation; value: unknown }) {
  const { t } = useLingui();
  const { number } = useFormat();
  if (!minLength && !maxLength) return null;
  const count = typeof value === "string" ? lengthOf(value) : 0;
  const isWrong = (maxLength && count > maxLength) || (minLength && count > 0 && count < minLength);
  const [shown, least] = [number(count), number(minLength ?? 0)];
  return (
    <span className={cx("tabular-nums", isWrong ? "font-medium text-bad" : undefined)}>
      {maxLength ? `${shown}/${number(maxLength)}` : count < (minLength ?? 0) ? t`${shown} of at least ${least}` : shown}
    </span>
  );
}
