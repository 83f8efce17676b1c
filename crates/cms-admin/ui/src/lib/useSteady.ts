// Functions that stay the same while what they do changes.

import { useCallback, useLayoutEffect, useRef } from "react";

/** The same function at each drawing, which does what the newest one does. It is for what happens later, and not for drawing. */
export function useSteady<Args extends unknown[], Result>(does: (...args: Args) => Result): (...args: Args) => Result {
  const newest = useRef(does);
  useLayoutEffect(() => void (newest.current = does));
  return useCallback((...args: Args) => newest.current(...args), []);
}
