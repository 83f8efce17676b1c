// What can be done on the screen that is open: it tells the palette.

import { useEffect, useSyncExternalStore, type ReactNode } from "react";

export interface Command {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Other words that people may look for it by. */
  words?: string | undefined;
  run: () => void;
}

let added: Command[] = [];
const listeners = new Set<() => void>();

function change(next: Command[]): void {
  added = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds commands to the palette as long as a screen is open. Keep the array the same between drawings (`useMemo`). */
export function useCommands(commands: Command[]): void {
  useEffect(() => {
    change([...added, ...commands]);
    return () => change(added.filter((command) => !commands.includes(command)));
  }, [commands]);
}

/** What the open screen added. */
export function useAddedCommands(): Command[] {
  return useSyncExternalStore(subscribe, () => added);
}
