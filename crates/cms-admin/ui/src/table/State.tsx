// How a thing stands: a dot and a word. Quiet, since a list has one in every row; what needs somebody stands out by its ink.

import type { ReactNode } from "react";

import type { Tone } from "~/components/Badge";
import { cx } from "~/lib/cx";

const DOTS: Record<Tone, string> = {
  neutral: "border border-line-strong",
  accent: "bg-accent-ink",
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
};

const WORDS: Partial<Record<Tone, string>> = { warn: "text-warn", bad: "text-bad" };

export function State({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={cx("inline-flex max-w-full items-center gap-1.5 sm:whitespace-nowrap", WORDS[tone])}>
      <span aria-hidden className={cx("size-2 shrink-0 rounded-full", DOTS[tone])} />
      <span className="truncate">{children}</span>
    </span>
  );
}
