// Whether files are on their way to the library, which is shown on every screen. What shows it is fetched when there is something to show.

import { useSyncExternalStore } from "react";

let isDocked = false;
const listeners = new Set<() => void>();

/** Shows or hides what is on its way. */
export function dock(isShown: boolean): void {
  isDocked = isShown;
  listeners.forEach((listener) => listener());
}

export function useIsDocked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isDocked,
  );
}
