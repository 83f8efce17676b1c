// A part of a panel that can be folded. This browser remembers what is folded.

import { ChevronDown } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { cx } from "~/lib/cx";

interface PanelSectionProps {
  /** Remembers under this name whether it is folded. */
  name: string;
  title: ReactNode;
  /** Stands beside the title, also while it is folded: a count, a state. */
  badge?: ReactNode;
  folded?: boolean;
  /** Something in it needs a look: it is open, whatever was folded. */
  needsLook?: boolean;
  children: ReactNode;
}

export function PanelSection({ name, title, badge, folded = false, needsLook = false, children }: PanelSectionProps) {
  const id = useId();
  const [isFoldedOtherwise, setFolded] = useState(() => read(name) ?? folded);
  const isFolded = isFoldedOtherwise && !needsLook;

  function toggle() {
    setFolded(!isFolded);
    try {
      localStorage.setItem(`cms-folded-${name}`, isFolded ? "0" : "1");
    } catch {
      // It then holds until the page is closed.
    }
  }

  return (
    <section aria-labelledby={`${id}-title`} className="border-b border-line last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={`${id}-content`}
          onClick={toggle}
          className="flex w-full items-center gap-2 px-4 py-3 text-start font-medium -outline-offset-2! hover:bg-hover pointer-coarse:min-h-11"
        >
          <ChevronDown aria-hidden className={cx("size-4 shrink-0 text-muted transition-transform", isFolded && "-rotate-90 rtl:rotate-90")} />
          <span id={`${id}-title`} className="min-w-0 grow break-words">
            {title}
          </span>
          {badge}
        </button>
      </h3>
      {/* It stays in the page: what was typed in it is not lost by folding. */}
      <div id={`${id}-content`} hidden={isFolded} className="px-4 pt-1 pb-4">
        {children}
      </div>
    </section>
  );
}

function read(name: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(`cms-folded-${name}`);
    return kept === null ? undefined : kept === "1";
  } catch {
    return undefined;
  }
}
