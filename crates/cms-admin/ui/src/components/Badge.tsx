// Badges: a state in a word, never by colour alone.

import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

const TONES: Record<Tone, string> = {
  neutral: "border-line bg-sunken text-muted",
  accent: "border-accent-line bg-accent-soft text-accent-ink",
  good: "border-good-line bg-good-soft text-good",
  warn: "border-warn-line bg-warn-soft text-warn",
  bad: "border-bad-line bg-bad-soft text-bad",
};

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={cx("inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap [&_svg]:size-3", TONES[tone])}>
      {icon}
      {children}
    </span>
  );
}
