// Keeps an open entry up to date, and what is written in it safe: when the window is looked at again, when it is left, and every now and then.

import { useEffect } from "react";

import type { EntrySession } from "./session";

/** How often it is looked what others did, in milliseconds. */
const LOOK = 20_000;

export function useWatch(session: EntrySession): void {
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void session.refresh();
    };
    const turn = () => {
      look();
      if (!document.hidden) return;
      // Whoever looks elsewhere may not come back: it is kept at once, and sent.
      void session.draft.keep();
      void session.draft.flush();
    };
    const back = () => void (session.state().standing === "offline" && session.draft.flush());
    const timer = window.setInterval(look, LOOK);
    document.addEventListener("visibilitychange", turn);
    addEventListener("focus", look);
    addEventListener("online", back);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", turn);
      removeEventListener("focus", look);
      removeEventListener("online", back);
    };
  }, [session]);
}
