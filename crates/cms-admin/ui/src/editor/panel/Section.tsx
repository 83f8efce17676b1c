// A section of the side panel, which opens and closes, and stays as it was left. What is wrong in it is in sight.

import { ChevronDown } from "lucide-react";
import { useState, type ReactNode } from "react";

import { byField, useDraft } from "../model/context";

const KEY = "cms-editor-sections";

function remembered(): Record<string, boolean> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, boolean>;
  } catch {
    return {};
  }
}

function remember(id: string, isOpen: boolean): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), [id]: isOpen }));
  } catch {
    // It is open as long as the page is.
  }
}

interface SectionProps {
  id: string;
  title: ReactNode;
  /** A word beside the title. */
  aside?: ReactNode;
  /** Whether it is open for those who never touched it. */
  isOpen?: boolean;
  /** Names of the values in it: it is open as long as one of them needs a look. */
  names?: readonly string[];
  /** Drawn while it is open. */
  children: () => ReactNode;
}

export function Section({ id, title, aside, isOpen: isOpenAtFirst = false, names = [], children }: SectionProps) {
  const [isLeftOpen, setOpen] = useState(() => remembered()[id] ?? isOpenAtFirst);
  const isWrong = useDraft(({ issues }) => names.some((name) => byField(issues).has(name)));
  // Whoever corrects it goes on there.
  if (isWrong && !isLeftOpen) setOpen(true);
  const isOpen = isLeftOpen || isWrong;
  return (
    <section className="border-b border-line last:border-b-0">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
            remember(id, !isOpen);
          }}
          className="flex w-full items-center gap-2 rounded-md px-4 py-2.5 text-start font-semibold -outline-offset-2! hover:bg-hover pointer-coarse:min-h-11"
        >
          <span className="grow">{title}</span>
          {aside && <span className="text-sm font-normal text-muted">{aside}</span>}
          <ChevronDown aria-hidden className={isOpen ? "size-4 text-muted" : "size-4 -rotate-90 text-muted rtl:rotate-90"} />
        </button>
      </h2>
      {isOpen && <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pt-1 pb-4">{children()}</div>}
    </section>
  );
}
