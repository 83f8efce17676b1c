// Which cards somebody has on the dashboard, and in which order: kept in this browser for each user.

import { useMemo, useSyncExternalStore } from "react";

export interface Arrangement {
  /** Names of cards in their order; those that are new since then are not among them. */
  order: string[];
  hidden: string[];
  /** Nobody wants to see the first steps any more, or they are done. */
  areStepsOver: boolean;
}

const USUAL: Arrangement = { order: [], hidden: [], areStepsOver: false };

const keyOf = (user: string) => `cms-dashboard:${user}`;
/** What holds where nothing can be kept: until the page is closed. */
const unkept = new Map<string, string>();
const listeners = new Set<() => void>();

/** What was kept, as far as it can be read. */
export function readArrangement(text: string | undefined): Arrangement {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    if (typeof kept !== "object" || kept === null) return USUAL;
    const { order, hidden, areStepsOver } = kept as Record<string, unknown>;
    return { order: names(order), hidden: names(hidden), areStepsOver: areStepsOver === true };
  } catch {
    return USUAL;
  }
}

const names = (value: unknown): string[] => (Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === "string"))] : []);

/** Cards in the order that somebody chose. One that they did not know then stands behind the one that it stands behind usually. */
export function inOrder(usual: readonly string[], order: readonly string[]): string[] {
  const placed = order.filter((name) => usual.includes(name));
  usual.forEach((name, n) => {
    if (placed.includes(name)) return;
    const before = usual.slice(0, n).findLast((other) => placed.includes(other));
    placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, name);
  });
  return placed;
}

/** The arrangement of a user, and what changes it. `reset` takes everything back. */
export function useArrangement(user: string): Arrangement & { change: (change: Partial<Arrangement>) => void; reset: () => void } {
  const text = useSyncExternalStore(subscribe, () => noted(user));
  const arrangement = useMemo(() => readArrangement(text), [text]);
  return {
    ...arrangement,
    change: (change) => note(user, JSON.stringify({ ...readArrangement(noted(user)), ...change })),
    reset: () => note(user, undefined),
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may arrange them, too.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function noted(user: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(user)) ?? unkept.get(user);
  } catch {
    return unkept.get(user);
  }
}

function note(user: string, text: string | undefined): void {
  unkept.delete(user);
  try {
    if (text === undefined) localStorage.removeItem(keyOf(user));
    else localStorage.setItem(keyOf(user), text);
  } catch {
    if (text !== undefined) unkept.set(user, text);
  }
  listeners.forEach((listener) => listener());
}
