// A list whose items can be put into another order: dragged by their handle, or taken up with it and moved by arrow keys or buttons.

import { useLingui } from "@lingui/react/macro";
import { useId, useState, type ReactNode } from "react";

import { cx } from "~/lib/cx";
import { moved } from "~/lib/move";

import { SortableItem } from "./SortableItem";

interface SortableListProps<Item> {
  /** What is listed: read out. */
  label: string;
  items: readonly Item[];
  /** What stays the same while an item moves and is edited. */
  itemKey: (item: Item) => string;
  /** What an item is called: said while it moves. */
  itemName: (item: Item, index: number) => string;
  /** The list in its new order, and which item stands where now. */
  onMove: (items: Item[], from: number, to: number) => void;
  /** Draws an item; the handle stands before it. */
  children: (item: Item, index: number) => ReactNode;
  /** The order stands. */
  disabled?: boolean;
  className?: string;
  itemClassName?: string;
}

/** What is taken up, and where it stood. */
interface Lifted {
  key: string;
  from: number;
}

export function SortableList<Item>({ label, items, itemKey, itemName, onMove, children, disabled, className, itemClassName }: SortableListProps<Item>) {
  const { t } = useLingui();
  const id = useId();
  const [lifted, setLifted] = useState<Lifted>();
  const [news, setNews] = useState("");
  const count = items.length;

  /** Moves an item, and tells whether it moved. */
  function move(from: number, to: number): boolean {
    if (from === to || to < 0 || to >= count) return false;
    onMove(moved(items, from, to), from, to);
    return true;
  }

  function take(item: Item, index: number) {
    const [name, position] = [itemName(item, index), index + 1];
    setLifted({ key: itemKey(item), from: index });
    setNews(t`${name} picked up. It is number ${position} of ${count}. Move it with the arrow keys; Space drops it, Escape puts it back.`);
  }

  function put(item: Item, index: number) {
    const [name, position] = [itemName(item, index), index + 1];
    setLifted(undefined);
    setNews(t`${name} dropped as number ${position} of ${count}.`);
  }

  function putBack(item: Item, index: number) {
    const name = itemName(item, index);
    const position = (lifted?.from ?? index) + 1;
    move(index, lifted?.from ?? index);
    setLifted(undefined);
    setNews(t`${name} put back as number ${position} of ${count}.`);
  }

  function step(item: Item, index: number, to: number) {
    const [name, position] = [itemName(item, index), Math.min(Math.max(to, 0), count - 1) + 1];
    if (move(index, position - 1)) setNews(t`${name} is number ${position} of ${count}.`);
  }

  function drop(from: number, to: number) {
    const item = items[from];
    if (item === undefined || !move(from, to)) return;
    const [name, position] = [itemName(item, from), to + 1];
    setLifted(undefined);
    setNews(t`${name} dropped as number ${position} of ${count}.`);
  }

  return (
    <>
      <ul aria-label={label} className={cx("grid gap-2", className)}>
        {items.map((item, index) => {
          const key = itemKey(item);
          return (
            <SortableItem
              key={key}
              list={id}
              index={index}
              count={count}
              name={itemName(item, index)}
              isLifted={lifted?.key === key}
              disabled={disabled === true || count < 2}
              onTake={() => take(item, index)}
              onPut={() => put(item, index)}
              onPutBack={() => putBack(item, index)}
              onStep={(to) => step(item, index, to)}
              onDrop={drop}
              className={itemClassName}
            >
              {children(item, index)}
            </SortableItem>
          );
        })}
      </ul>
      <p role="status" aria-live="assertive" className="sr-only">
        {news}
      </p>
    </>
  );
}
