// Which columns somebody chose for a table, kept in this browser for each user.

import { useSyncExternalStore } from "react";

/** Where a choice is noted. Two people at one browser do not share it. */
const keyOf = (user: string, table: string) => `cms-columns:${user}:${table}`;

const listeners = new Set<() => void>();

/** The columns that were chosen; undefined where nobody did. */
export function useChosenColumns(user: string, table: string): string[] | undefined {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => noted(user, table),
  );
  return listOf(text);
}

function noted(user: string, table: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(user, table)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Notes a choice; undefined forgets it. */
export function chooseColumns(user: string, table: string, columns: string[] | undefined): void {
  try {
    if (columns) localStorage.setItem(keyOf(user, table), columns.join(","));
    else localStorage.removeItem(keyOf(user, table));
  } catch {
    // The choice is in the address all the same.
  }
  listeners.forEach((listener) => listener());
}

/** A list as it stands in an address. */
export function listOf(text: string | undefined): string[] | undefined {
  const parts = text?.split(",").filter(Boolean);
  return parts?.length ? parts : undefined;
}
