// A picture at the head of a page before the door, in the place of the mark.

import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

/** Decorative: the title says what it is about. */
export function DoorIcon({ icon, tone }: { icon: ReactNode; tone?: "good" }) {
  return (
    <span
      aria-hidden
      className={cx(
        "grid size-11 place-items-center rounded-lg border [&_svg]:size-5.5",
        tone === "good" ? "border-good-line bg-good-soft text-good" : "border-accent-line bg-accent-soft text-accent-ink",
      )}
    >
      {icon}
    </span>
  );
}
