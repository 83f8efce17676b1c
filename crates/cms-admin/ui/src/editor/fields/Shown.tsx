// A value as people read it, where it cannot be changed: in comparisons, conflicts and the history.

import { Trans, useLingui } from "@lingui/react/macro";

import { useSiteTime } from "~/content/plan";
import { useFormat } from "~/lib/format";

import { isEmpty, isUnread } from "../model/values";
import { blockText, plainText } from "./plain";
import type { FieldType } from "./shape";

/** The longest text that is shown whole. */
const LONGEST = 4_000;

type Show = (value: unknown, type?: FieldType, isPart?: boolean) => string;

/** A value of a type as text; of something in it where `isPart` says so, such as one block of rich text. */
export function useShown(): Show {
  const show = useWhole();
  return (value, type, isPart) => {
    const text = show(value, type, isPart);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  };
}

/** The same, however long it is. */
export function useWhole(): Show {
  const { t } = useLingui();
  const { number } = useFormat();
  const siteTime = useSiteTime();
  const show = (value: unknown, type?: FieldType, isPart = false): string => {
    if (isEmpty(value)) return "";
    if (isUnread(value)) return value.$typed;
    if (type === "portableText") return isPart ? blockText(value) || t`A block without text` : plainText(value);
    if (typeof value === "boolean") return value ? t`Yes` : t`No`;
    if (typeof value === "number") return number(value);
    if (type === "datetime" && typeof value === "string" && !Number.isNaN(Date.parse(value))) return siteTime(value);
    if (typeof value === "string") return value;
    if (type === "image" || type === "file") {
      const { filename, src, alt, id } = value as Record<string, unknown>;
      return [filename ?? src ?? id, alt].filter((part) => typeof part === "string" && part !== "").join(" – ");
    }
    if (Array.isArray(value)) return value.map((part) => show(part)).join(type === "repeater" ? "\n" : ", ");
    const members = Object.entries(value as Record<string, unknown>).filter(([name, part]) => name !== "_key" && !isEmpty(part));
    return members.every(([, part]) => typeof part !== "object") ? members.map(([, part]) => show(part)).join(" · ") : JSON.stringify(value);
  };
  return show;
}

export function ShownValue({ value, type, isPart }: { value: unknown; type?: FieldType | undefined; isPart?: boolean }) {
  const text = useShown()(value, type, isPart);
  if (text === "") {
    return (
      <span className="text-faint">
        <Trans>Nothing</Trans>
      </span>
    );
  }
  return (
    <span dir="auto" className="break-words whitespace-pre-wrap">
      {text}
    </span>
  );
}
