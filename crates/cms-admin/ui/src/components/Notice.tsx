// A message in the flow of a page: a hint, a warning, a failure.

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

type Tone = "info" | "good" | "warn" | "bad";

const TONES: Record<Tone, { look: string; icon: typeof Info; ink: string }> = {
  info: { look: "border-accent-line bg-accent-soft", icon: Info, ink: "text-accent-ink" },
  good: { look: "border-good-line bg-good-soft", icon: CircleCheck, ink: "text-good" },
  warn: { look: "border-warn-line bg-warn-soft", icon: TriangleAlert, ink: "text-warn" },
  bad: { look: "border-bad-line bg-bad-soft", icon: CircleAlert, ink: "text-bad" },
};

/** A box with a message. Failures are read out when they appear. */
export function Notice({ tone = "info", title, children, action }: { tone?: Tone; title?: ReactNode; children?: ReactNode; action?: ReactNode }) {
  const { look, icon: Icon, ink } = TONES[tone];
  return (
    <div role={tone === "bad" ? "alert" : undefined} className={cx("flex gap-2.5 rounded-md border px-3.5 py-3", look)}>
      <Icon aria-hidden className={cx("mt-0.5 size-[1.125rem] shrink-0", ink)} />
      <div className="grid min-w-0 grow gap-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="min-w-0 break-words">{children}</div>}
        {action && <div className="mt-1.5 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
