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

/** Looks on from where a state is, page by page, and tells each state after it. */
async function walk(path: { collection: string; fieldSlug: string }, question: Question, from: State, signal: AbortSignal, tell: (state: State) => void): Promise<void> {
  let { outcome, cursor } = from;
  try {
    if (cursor === undefined) await pause(PAUSE);
    do {
      signal.throwIfAborted();
      const body = { ...question, ...(cursor === undefined ? {} : { cursor }) };
      const page = await answer(api.POST("/schema/collections/{collection}/fields/{fieldSlug}/check-type", { params: { path }, body, signal }));
      // Whoever stopped it, or asks something else, has no use for what comes late.
      signal.throwIfAborted();
      outcome = withPage(outcome, page);
      cursor = page.nextCursor ?? undefined;
      tell({ phase: cursor === undefined ? "done" : "looking", outcome, cursor });
    } while (cursor !== undefined);
  } catch (error) {
    if (signal.aborted) return;
    // A place that is no more is found again from the beginning.
    tell(isCode(error, "INVALID_CURSOR") ? { ...BEGIN, phase: "failed", error } : { phase: "failed", outcome, cursor, error });
  }
}

/** `question` is none as long as something is missing for it: nothing is looked at then. */
export function useCheck(collection: string, fieldSlug: string, question: Question | undefined) {
  const asked = JSON.stringify([collection, fieldSlug, question]);
  const [held, setHeld] = useState({ asked, state: BEGIN });
  if (held.asked !== asked) setHeld({ asked, state: BEGIN });
  const state = held.asked === asked ? held.state : BEGIN;
  const isLooking = state.phase === "looking" && question !== undefined;
  const set = (state: State) => setHeld({ asked, state });

  const begin = useEffectEvent((signal: AbortSignal) => {
    if (question) void walk({ collection, fieldSlug }, question, state, signal, set);
  });

  useEffect(() => {
    if (!isLooking) return;
    const controller = new AbortController();
    begin(controller.signal);
    return () => controller.abort();
  }, [asked, isLooking]);

  return {
    ...state,
    stop: () => set({ ...state, phase: "stopped" }),
    /** Goes on where it was stopped, or failed. */
    goOn: () => set({ ...state, phase: "looking", error: undefined }),
  };
}

export type Check = ReturnType<typeof useCheck>;
