// Looks page by page at what would become of a field's values. Another question ends the one before, and so does whoever leaves or stops it.

import { useEffect, useEffectEvent, useState } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { components } from "~/api/schema";
import { pause } from "~/lib/pause";

import { NOTHING, withPage, type Outcome } from "./outcome";

export type Question = Omit<components["schemas"]["CheckTypeBody"], "cursor">;

interface State {
  phase: "looking" | "stopped" | "done" | "failed";
  outcome: Outcome;
  /** Where it goes on. */
  cursor?: string | undefined;
  error?: unknown;
}

/** Nothing was looked at yet. */
const BEGIN: State = { phase: "looking", outcome: NOTHING };
/** How long nothing is typed until the first look, in milliseconds. */
const PAUSE = 400;

/** `question` is none as long as something is missing for it: nothing is looked at then. */
export function useCheck(collection: string, fieldSlug: string, question: Question | undefined) {
  const asked = JSON.stringify([collection, fieldSlug, question]);
  const [held, setHeld] = useState({ asked, state: BEGIN });
  if (held.asked !== asked) setHeld({ asked, state: BEGIN });
  const state = held.asked === asked ? held.state : BEGIN;
  const isLooking = state.phase === "looking" && question !== undefined;
  const set = (state: State) => setHeld({ asked, state });

  const look = useEffectEvent(async (signal: AbortSignal) => {
    let { outcome, cursor } = state;
    if (cursor === undefined) await pause(PAUSE);
    try {
      while (question && !signal.aborted) {
        const params = { path: { collection, fieldSlug } };
        const page = await answer(api.POST("/schema/collections/{collection}/fields/{fieldSlug}/check-type", { params, body: { ...question, ...(cursor ? { cursor } : {}) }, signal }));
        // Whoever stopped it, or asks something else, has no use for what comes late.
        if (signal.aborted) return;
        outcome = withPage(outcome, page);
        cursor = page.nextCursor ?? undefined;
        set({ phase: cursor ? "looking" : "done", outcome, cursor });
        if (!cursor) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // A place that is no more is found again from the beginning.
      set(isCode(error, "INVALID_CURSOR") ? { ...BEGIN, phase: "failed", error } : { phase: "failed", outcome, cursor, error });
    }
  });

  useEffect(() => {
    if (!isLooking) return;
    const controller = new AbortController();
    void look(controller.signal);
    return () => controller.abort();
  }, [asked, isLooking]);

  return {
    ...state,
    stop: () => set({ ...state, phase: "stopped" }),
    /** Goes on where it was stopped, or failed. */
    goOn: () => set({ phase: "looking", outcome: state.outcome, cursor: state.cursor }),
  };
}

export type Check = ReturnType<typeof useCheck>;
