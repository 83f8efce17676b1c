// Gives the focus back to where it was before a dialog opened; to the heading of the screen, where that was nowhere or is gone. Radix does that only for
// dialogs that have a trigger of their own.

import { useEffect, useState } from "react";

/** Where the focus was before each of the dialogs that are open, and before those that they were opened from. */
let open: (Element | null)[][] = [];

const isThere = (opener: Element | null): opener is HTMLElement => opener instanceof HTMLElement && opener !== document.body && opener.isConnected;

/** Put it into what opens; it draws nothing. */
export function FocusReturn() {
  // While this is drawn for the first time, nothing in the dialog has taken the focus yet, and one that it takes the place of is still there.
  const [openers] = useState(() => [document.activeElement, ...(open.at(-1) ?? [])]);
  useEffect(() => {
    open = [...open, openers];
    return () => {
      open = open.filter((others) => others !== openers);
      // Radix decides a moment after the end; where something else has taken the focus by then, it keeps it.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (!isLost) return;
        const opener = openers.find(isThere);
        if (opener) opener.focus();
        else document.querySelector<HTMLElement>("[data-page-heading]")?.focus({ preventScroll: true });
      }, 10);
    };
  }, [openers]);
  return null;
}
