// One item of a list that can be put into another order.

import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";

import { IconButton } from "~/components/Button";
import { cx } from "~/lib/cx";

import { useDragging } from "./useDragging";

interface SortableItemProps {
  list: string;
  index: number;
  count: number;
  name: string;
  isLifted: boolean;
  disabled: boolean;
  onTake: () => void;
  onPut: () => void;
  onPutBack: () => void;
  onStep: (to: number) => void;
  onDrop: (from: number, to: number) => void;
  children: ReactNode;
  className?: string | undefined;
}

export function SortableItem({ list, index, count, name, isLifted, disabled, onTake, onPut, onPutBack, onStep, onDrop, children, className }: SortableItemProps) {
  const { t } = useLingui();
  const item = useRef<HTMLLIElement>(null);
  const grips = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { isDragged, edge } = useDragging({ list, index, disabled, item, handle, onStart: () => isLifted && onPut(), onDrop });

  useLayoutEffect(() => {
    // An element that was moved in the page has lost the focus.
    if (isLifted && !grips.current?.contains(document.activeElement)) handle.current?.focus({ preventScroll: true });
    if (isLifted) item.current?.scrollIntoView({ block: "nearest" });
  }, [isLifted, index]);

  function press(event: KeyboardEvent) {
    if (!isLifted) return;
    const steps: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 };
    const to = steps[event.key];
    if (to !== undefined) onStep(to);
    else if (event.key === "Escape") onPutBack();
    else return;
    event.preventDefault();
    // Neither a dialog around the list nor a list around this one is meant.
    event.stopPropagation();
  }

  function leave({ currentTarget }: FocusEvent) {
    // By then it is known whether the focus only came back from a move.
    requestAnimationFrame(() => isLifted && !currentTarget.contains(document.activeElement) && onPut());
  }

  return (
    <li
      ref={item}
      data-lifted={isLifted || undefined}
      className={cx(
        "relative flex min-w-0 items-start gap-1 rounded-md border border-line bg-surface p-1.5 transition-shadow",
        isLifted && "border-accent shadow-high",
        isDragged && "opacity-50",
        edge && "before:absolute before:inset-x-0 before:z-10 before:h-0.5 before:rounded-full before:bg-accent",
        edge === "before" && "before:-top-[0.3125rem]",
        edge === "behind" && "before:-bottom-[0.3125rem]",
        className,
      )}
    >
      <div ref={grips} role="group" aria-label={t`Order of ${name}`} className="flex shrink-0 items-center" onKeyDown={press} onBlur={leave}>
        <IconButton
          ref={handle}
          size="sm"
          label={isLifted ? t`Drop ${name}` : t`Move ${name}`}
          aria-pressed={isLifted}
          disabled={disabled}
          icon={<GripVertical />}
          onClick={isLifted ? onPut : onTake}
          className={cx("touch-manipulation", isLifted ? "bg-accent-soft text-accent-ink" : "cursor-grab")}
        />
        {isLifted && (
          <>
            <IconButton size="sm" label={t`Move up`} icon={<ArrowUp />} aria-disabled={index === 0} onClick={() => onStep(index - 1)} className="aria-disabled:opacity-40" />
            <IconButton size="sm" label={t`Move down`} icon={<ArrowDown />} aria-disabled={index === count - 1} onClick={() => onStep(index + 1)} className="aria-disabled:opacity-40" />
          </>
        )}
      </div>
      <div className="min-w-0 grow self-center">{children}</div>
    </li>
  );
}
