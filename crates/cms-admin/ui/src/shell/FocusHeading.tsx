// After a change of screen the keyboard stands at its heading, and screen readers say where one is.

import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export function FocusHeading() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (before.current !== undefined && path !== undefined && before.current !== path) {
      const active = document.activeElement;
      // A screen that put the keyboard somewhere itself knows better.
      if (!active || active === document.body || active.closest("nav") || !document.contains(active)) {
        document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
      }
    }
    before.current = path;
  }, [path]);
  return null;
}
