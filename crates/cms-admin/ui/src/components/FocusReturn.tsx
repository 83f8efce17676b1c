// Gives the focus back to where it was before a dialog opened; to the heading of the screen, where that was nowhere or is gone. Radix does that only for
// dialogs that have a trigger of their own.

import { useEffect, useState } from "react";

/** Put it into what opens; it draws nothing. */
export function FocusReturn() {
  // While this is drawn for the first time, nothing in the dialog has taken the focus yet.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Radix decides a moment after the end; where something else has taken the focus by then, it keeps it.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (!isLost) return;
        if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
        else document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
      }, 10);
    },
    [opener],
  );
  return null;
}
