// Gives the focus back to where it was before a dialog opened. Radix does that only for dialogs that have a trigger of their own.

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
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      }, 10);
    },
    [opener],
  );
  return null;
}
