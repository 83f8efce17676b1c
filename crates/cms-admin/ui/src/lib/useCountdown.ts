// Time that runs out, and stands still while nobody can use it.

import { useEffect, useEffectEvent, useState } from "react";

/** Milliseconds between two looks at the clock. */
const TICK = 200;

/** The share of the time that is left, of 1. It stands still while it is held, a dialog is open, or the page is out of sight. */
export function useCountdown(length: number, isHeld: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(length);
  const tick = useEffectEvent((passed: number) => {
    if (isHeld || document.hidden || document.querySelector("[data-modal]")) return;
    if (left <= passed) onEnd();
    else setLeft(left - passed);
  });
  useEffect(() => {
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      tick(now - last);
      last = now;
    }, TICK);
    return () => clearInterval(timer);
  }, []);
  return left / length;
}
