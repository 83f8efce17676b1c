// What was sent in this tab, for as long as it is open. Neither answers nor tokens are kept, and of operations that are given secrets only that they were sent.

import { useSyncExternalStore } from "react";

import { isKept } from "./special";

export interface Past {
  /** When, in milliseconds. */
  at: number;
  /** The operation, or the tool. */
  kind: "operation" | "tool";
  id: string;
  /** As in `GET`; of tools, nothing. */
  method: string;
  status: number;
  milliseconds: number;
  /** Whether a token was sent in the place of the session. */
  asToken: boolean;
  /** What the form had, by the keys of its values. Nothing where that is not kept. */
  values: [key: string, value: string][] | undefined;
  body: string | undefined;
}

const KEY = "cms-explorer-history";
/** How many are kept, the newest of all. */
const MOST = 50;
/** Longer ones are not kept: the store of a tab is small, in characters. */
const LONGEST = 20_000;

let past: Past[] | undefined;
const listeners = new Set<() => void>();

function read(): Past[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Past[]) : [];
  } catch {
    return [];
  }
}

function change(next: Past[]): void {
  past = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // It then holds until the page is closed.
  }
  listeners.forEach((listener) => listener());
}

/** Remembers something that was sent, with as much of it as may be kept; `names` are those of all that it can be sent with. */
export function remember({ values, body, ...sent }: Past, names: string[]): void {
  const size = (values ?? []).reduce((sum, [, value]) => sum + value.length, body?.length ?? 0);
  const may = size <= LONGEST && isKept(sent.id, names);
  change([{ ...sent, values: may ? values : undefined, body: may ? body : undefined }, ...(past ?? read())].slice(0, MOST));
}

export function forget(): void {
  change([]);
}

export function useHistory(): Past[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (past ??= read()),
  );
}
