// The keys of a table: one stop for Tab, arrows or j and k from row to row, x or Space to select, with Shift from where it began.

import { useEffect, useEffectEvent, type FocusEvent, type KeyboardEvent } from "react";

import { hasLetterShortcuts } from "~/shell/keys";

import { stepOf } from "./step";

interface RowKeysOptions {
  /** How many rows there are. */
  count: number;
  /** Moves the focus to a row: to its control of this name, or to its first. */
  focus: (index: number, control: string) => void;
  /** The row that Tab leads to changed. */
  onActive: (index: number) => void;
  /** Selects a row, or all from the one that was selected last. */
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
  /** Selects all rows. */
  onSelectAll?: (() => void) | undefined;
  onEscape?: (() => boolean) | undefined;
  /** Where a key leads, where it is not from row to row. */
  step?: typeof stepOf;
}

/** Listeners for the body of a table. */
export function useRowKeys({ count, focus, onActive, onSelect, onSelectAll, onEscape, step = stepOf }: RowKeysOptions) {
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const at = placeOf(event.target);
    if (!at || event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "a" || !onSelectAll) return;
      event.preventDefault();
      onSelectAll();
      return;
    }
    const next = step(event.key, at.index, count, hasLetterShortcuts());
    if (next !== undefined) {
      event.preventDefault();
      if (event.shiftKey && next !== at.index) onSelect?.(next, true);
      focus(next, at.control);
    } else if (onSelect && at.control !== "menu" && (isSelecting(event.key) || (event.key === " " && at.control === "title"))) {
      event.preventDefault();
      onSelect(at.index, event.shiftKey);
    } else if (event.key === "Escape" && onEscape?.()) {
      event.preventDefault();
    }
  };

  // From anywhere on the page that is no control, the same keys lead into the rows.
  const enter = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (count === 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isNowhere = document.activeElement === document.body || document.activeElement?.matches("main, [data-page-heading]");
    if (!isNowhere || document.querySelector("[data-modal]") || !hasLetterShortcuts() || !/^[jk]$/.test(event.key)) return;
    event.preventDefault();
    focus(0, "title");
  });
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => enter(event);
    // The window hears of a key after the document, where `g j` leads to another screen.
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);

  return {
    onKeyDown: press,
    onFocus: (event: FocusEvent) => {
      const at = placeOf(event.target);
      if (at) onActive(at.index);
    },
  };
}

function isSelecting(key: string): boolean {
  return key.toLowerCase() === "x" && hasLetterShortcuts();
}

/** The control of a row that takes the focus: the one of this name, or its first. */
export function controlOf(table: HTMLElement | null, index: number, control: string): HTMLElement | null {
  const row = table?.querySelector(`[data-row="${index}"]`);
  return row?.querySelector<HTMLElement>(`[data-control="${control}"]`) ?? row?.querySelector<HTMLElement>("[data-control]") ?? null;
}

/** The row and the control of it where a key was pressed; undefined in a box that takes keys itself. */
function placeOf(target: EventTarget): { index: number; control: string } | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const control = target.closest<HTMLElement>("[data-control]")?.dataset.control;
  const row = target.closest<HTMLElement>("[data-row]")?.dataset.row;
  return control && row !== undefined ? { index: Number(row), control } : undefined;
}
