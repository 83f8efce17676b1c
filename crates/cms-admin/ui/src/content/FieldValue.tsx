// The value of a field in a cell of a list: one line, as people of the chosen language write it. Another program may have written anything there.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";

import type { ContentField } from "~/api/types";
import { useFormat } from "~/lib/format";

import { SiteTime } from "./SiteTime";

/** The longest text that a cell is given, in characters. The rest would not be seen. */
const LONGEST = 200;

/** The types of fields that say something in one line. */
export const LISTED: ReadonlySet<ContentField["type"]> = new Set(["string", "text", "slug", "url", "number", "integer", "boolean", "datetime", "select", "multiSelect", "repeater"]);

export function FieldValue({ field, value }: { field: ContentField; value: unknown }): ReactNode {
  const { t } = useLingui();
  const { list, number } = useFormat();
  if (value === undefined || value === null || value === "") return <span className="text-faint max-sm:hidden">–</span>;
  if (field.type === "boolean" && typeof value === "boolean") {
    const Icon = value ? Check : Minus;
    return <Icon role="img" aria-label={value ? t`Yes` : t`No`} className={value ? "inline size-4 text-good" : "inline size-4 text-faint"} />;
  }
  if (typeof value === "number") return <bdi className="tabular-nums">{number(value)}</bdi>;
  if (field.type === "datetime" && typeof value === "string" && !Number.isNaN(Date.parse(value))) return <SiteTime at={value} />;
  if (field.type === "repeater" && Array.isArray(value)) return <Plural value={value.length} one="# row" other="# rows" />;
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return <bdi>{cut(list(value))}</bdi>;
  if (typeof value === "string") return <bdi>{cut(value)}</bdi>;
  return (
    <span className="text-faint">
      <Trans>Unreadable</Trans>
    </span>
  );
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
