// The list of a picker. Of a long one, only what can be seen is in the page.

import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { Check, Plus } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";

import { cx } from "~/lib/cx";

import { isChoice, type Row } from "./rows";
import type { Option } from "./source";

interface OptionListProps<Choice extends Option> {
  id: string;
  label: string;
  rows: Row<Choice>[];
  active: number;
  chosen: readonly string[];
  multiple: boolean;
  isStale: boolean;
  onPoint: (index: number) => void;
  onChoose: (index: number) => void;
  /** The end of what is there comes into sight. */
  onEnd: () => void;
}

export function OptionList<Choice extends Option>({ id, label, rows, active, chosen, multiple, isStale, onPoint, onChoose, onEnd }: OptionListProps<Choice>) {
  const frame = useRef<HTMLDivElement>(null);
  // What is active is in the page wherever the list is scrolled to: screen readers are pointed at it.
  const rangeExtractor = useCallback((range: Range) => [...new Set([...defaultRangeExtractor(range), ...(active >= 0 ? [active] : [])])].sort((a, b) => a - b), [active]);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is handed to what is memoized
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (rows[index]?.kind === "heading" ? 30 : 40),
    getItemKey: (index) => `${rows[index]?.kind ?? ""} ${rows[index]?.id ?? index}`,
    overscan: 6,
    rangeExtractor,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.filter(({ index }) => index !== active).at(-1)?.index ?? -1;

  const show = useEffectEvent((index: number) => virtual.scrollToIndex(index, { align: "auto" }));
  useEffect(() => {
    if (active >= 0) show(active);
  }, [active]);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (last >= rows.length - 5) end();
  }, [last, rows.length]);

  return (
    <div
      ref={frame}
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      aria-multiselectable={multiple || undefined}
      aria-busy={isStale || undefined}
      className={cx("max-h-80 min-h-0 grow overflow-y-auto overscroll-contain transition-opacity", rows.length > 0 && "p-1.5", isStale && "opacity-60")}
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div key={key} ref={virtual.measureElement} data-index={index} role="presentation" className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
              {row.kind === "heading" ? (
                <div role="presentation" className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">
                  {row.text}
                </div>
              ) : (
                <OptionRow
                  row={row}
                  id={`${id}-${index}`}
                  at={index}
                  of={rows.length}
                  isActive={index === active}
                  isChosen={chosen.includes(row.id)}
                  onPoint={() => isChoice(row) && onPoint(index)}
                  onChoose={() => onChoose(index)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface OptionRowProps<Choice extends Option> {
  row: Exclude<Row<Choice>, { kind: "heading" }>;
  id: string;
  at: number;
  of: number;
  isActive: boolean;
  isChosen: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function OptionRow<Choice extends Option>({ row, id, at, of, isActive, isChosen, onPoint, onChoose }: OptionRowProps<Choice>) {
  const isDisabled = !isChoice(row);
  const { hint } = row.kind === "make" ? row : row.option;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={isDisabled || undefined}
      aria-posinset={at + 1}
      aria-setsize={of}
      data-selected={isActive || undefined}
      onPointerMove={() => isActive || onPoint()}
      // The focus stays in the search box.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        "flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0",
        isDisabled ? "cursor-not-allowed opacity-50" : "cursor-pointer",
        isActive && "bg-active",
        row.kind === "make" && "text-accent-ink",
      )}
    >
      {row.kind === "make" ? <Plus aria-hidden /> : row.option.icon}
      <span className="grid min-w-0 grow">
        <span className="truncate">
          <bdi>{row.kind === "make" ? row.text : row.option.label}</bdi>
        </span>
        {hint && (
          <span className={cx("text-sm text-muted", row.kind === "option" && "truncate")}>
            <bdi>{hint}</bdi>
          </span>
        )}
      </span>
      {isChosen && <Check aria-hidden className="text-accent-ink" />}
    </div>
  );
}
