// Things within things. One stop for the Tab key; arrows move within, typing leads to a name.

import { useLingui } from "@lingui/react/macro";
import { ChevronRight } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { cx } from "~/lib/cx";

import { named, press, rowsOf, type TreeItem, type TreeRow } from "./rows";

interface TreeProps<Item extends TreeItem> {
  /** What it shows: read out. */
  label: string;
  items: readonly Item[];
  /** The one that is shown elsewhere, as on the rest of the screen. */
  selected?: string | undefined;
  onSelect?: (item: Item) => void;
  /** Branches that are open at first. */
  open?: readonly string[];
  /** Draws an item; its name, without this. */
  children?: (item: Item) => ReactNode;
}

/** How long letters count as one word, in milliseconds. */
const WORD = 700;

export function Tree<Item extends TreeItem>({ label, items, selected, onSelect, open: first = [], children }: TreeProps<Item>) {
  const { i18n } = useLingui();
  const tree = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(first));
  const [focused, setFocused] = useState<string>();
  const typed = useRef({ text: "", at: 0 });
  const rows = rowsOf(items, open);
  // The stop for the Tab key: where one was last, else what is selected, else the first.
  const stop = [focused, selected].find((id) => rows.some(({ item }) => item.id === id)) ?? rows[0]?.item.id;

  function toggle(ids: readonly string[]) {
    setOpen((open) => {
      const next = new Set(open);
      for (const id of ids) if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  function go(to: number) {
    const id = rows[to]?.item.id;
    if (id === undefined) return;
    setFocused(id);
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[to]?.focus();
  }

  function onKeyDown(event: KeyboardEvent, at: number) {
    const row = rows[at];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onSelect?.(row.item);
      return;
    }
    const inward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const key = event.key.startsWith("Arrow") && /Left|Right/.test(event.key) ? (event.key === inward ? "Inward" : "Outward") : event.key;
    const done = press(key, rows, at);
    if (done) {
      event.preventDefault();
      if (done.toggle) toggle(done.toggle);
      if (done.to !== undefined) go(done.to);
    } else if (event.key.length === 1) type(event.key, event.timeStamp, at);
  }

  function type(letter: string, time: number, at: number) {
    typed.current = { text: time - typed.current.at < WORD ? typed.current.text + letter : letter, at: time };
    const to = named(rows, at, typed.current.text);
    if (to !== undefined) go(to);
  }

  return (
    <div ref={tree} role="tree" aria-label={label} lang={i18n.locale} className="grid gap-px">
      {rows.map((row, n) => (
        <Row
          key={row.item.id}
          row={row}
          isStop={row.item.id === stop}
          isSelected={row.item.id === selected}
          onKeyDown={(event) => onKeyDown(event, n)}
          onFocus={() => setFocused(row.item.id)}
          onToggle={() => toggle([row.item.id])}
          onSelect={() => onSelect?.(row.item)}
        >
          {children?.(row.item) ?? row.item.name}
        </Row>
      ))}
    </div>
  );
}

interface RowProps<Item extends TreeItem> {
  row: TreeRow<Item>;
  isStop: boolean;
  isSelected: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: () => void;
  onToggle: () => void;
  onSelect: () => void;
  children: ReactNode;
}

function Row<Item extends TreeItem>({ row, isStop, isSelected, onKeyDown, onFocus, onToggle, onSelect, children }: RowProps<Item>) {
  const { level, at, of, isBranch, isOpen } = row;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={at}
      aria-setsize={of}
      aria-expanded={isBranch ? isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={isStop ? 0 : -1}
      data-selected={isSelected || undefined}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onClick={onSelect}
      style={{ paddingInlineStart: `${(level - 1) * 1.25}rem` }}
      className={cx("flex min-h-9 min-w-0 cursor-pointer items-center gap-1 rounded-md pe-2 hover:bg-hover pointer-coarse:min-h-11", isSelected && "bg-active font-medium")}
    >
      {/* The keys do the same: it is for the pointer alone. */}
      <span
        aria-hidden
        onClick={(event) => {
          if (!isBranch) return;
          event.stopPropagation();
          onToggle();
        }}
        className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-active pointer-coarse:size-11"
      >
        {isBranch && <ChevronRight className={cx("size-4 transition-transform rtl:-scale-x-100", isOpen && "rotate-90 rtl:-rotate-90")} />}
      </span>
      <span className="min-w-0 grow truncate">
        <bdi>{children}</bdi>
      </span>
    </div>
  );
}
