// Keeps an open entry up to date, and what is written in it safe: as the server tells of it, when the window is looked at again, and when it is left.

import { useEffect } from "react";

import { follow } from "~/editing/following/follow";

import type { EntrySession } from "./session";

/** How often it is looked what others did while the server tells nothing, in milliseconds. */
const LOOK = 20_000;

export function useWatch(session: EntrySession, id: string | undefined): void {
  useEffect(() => (id === undefined ? undefined : follow(id, (news) => session.hear(news))), [session, id]);

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
    const timer = window.setInterval(() => session.news.get() ?? look(), LOOK);
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
