// The lease on an entry, where its collection has edit locks: it tells others who is at work. What is written is kept whether one holds it or not.

import { useCallback, useEffect, useRef, useState } from "react";

import { answer, api, unasked } from "~/api/client";
import { isCode } from "~/api/errors";
import type { components } from "~/api/schema";

import type { EntrySession } from "./session";

export type Holder = components["schemas"]["Holder"];

/** How often the lease is taken again, or looked at where the server tells nothing, in milliseconds. It is good for seven minutes. */
const AGAIN = 60_000;
const LOOK = 15_000;

export interface Lock {
  /** Somebody else who holds it; none where it is ours, or where there are no locks. */
  holder: Holder | undefined;
  takeOver: () => Promise<void>;
}

export function useLock(session: EntrySession, isWriter: boolean, id: string | undefined): Lock {
  const [holder, setHolder] = useState<Holder>();
  const [token] = useState(() => crypto.randomUUID());
  const wasHeld = useRef(false);
  const { editLocking, slug: collection } = session.collection;
  const isOn = editLocking && isWriter && id !== undefined;
  const isHeld = holder !== undefined;

  const take = useCallback(
    async (takeover: boolean) => {
      if (id === undefined) return;
      try {
        await answer(api.POST("/content/{collection}/{id}/lock", { params: { path: { collection, id } }, body: { token, takeover }, ...(takeover ? {} : { fetch: unasked }) }));
        // What they wrote is here before anything is written upon it.
        if (wasHeld.current) await session.refresh();
        wasHeld.current = false;
        setHolder(undefined);
        // What was refused as long as somebody else held it.
        if (isCode(session.state().problem, "ENTRY_LOCKED")) session.draft.retry();
      } catch (error) {
        if (!isCode(error, "ENTRY_LOCKED")) throw error;
        wasHeld.current = true;
        setHolder(error.details.holder as Holder);
      }
    },
    [collection, id, session, token],
  );

  useEffect(() => {
    if (!isOn) return;
    let timer: number | undefined;
    const tick = async (): Promise<void> => {
      if (!document.hidden) await take(false).catch(() => undefined);
      timer = window.setTimeout(() => void tick(), isHeld ? LOOK : AGAIN);
    };
    void tick();
    return () => window.clearTimeout(timer);
  }, [isOn, take, isHeld]);

  // Who took it, or gave it back, as the server tells of it.
  useEffect(() => {
    if (!isOn) return;
    return session.news.subscribe(() => {
      const told = session.news.get();
      const heldBy = told?.holder?.userId;
      const isOthers = heldBy !== undefined && heldBy !== session.author;
      if (told && isOthers !== isHeld) void take(false).catch(() => undefined);
    });
  }, [isOn, isHeld, session, take]);

  // A save that is refused says who took it.
  useEffect(
    () =>
      session.subscribe(() => {
        const { problem } = session.state();
        if (!isCode(problem, "ENTRY_LOCKED")) return;
        wasHeld.current = true;
        setHolder((before) => before ?? (problem.details.holder as Holder));
      }),
    [session],
  );

  useEffect(() => {
    if (!isOn) return;
    const giveBack = () => void api.DELETE("/content/{collection}/{id}/lock", { params: { path: { collection, id }, query: { token } }, keepalive: true }).catch(() => undefined);
    addEventListener("pagehide", giveBack);
    return () => {
      removeEventListener("pagehide", giveBack);
      giveBack();
    };
  }, [isOn, collection, id, token]);

  return { holder: isOn ? holder : undefined, takeOver: () => take(true) };
}
