// What nobody answered is asked for again by itself: whoever looks at a failure should see the page once there is one.

import { useEffect, useEffectEvent } from "react";

import { ApiError } from "~/api/errors";

/** The time between a failure and the next try, in milliseconds: short for somebody who waits, and one request of each open page for a server that comes back. */
const PAUSE = 5_000;

/** Does something again after each time that nobody answered: a few seconds later, or as soon as the browser is back on the network. */
export function useTriesAgain(error: unknown, again: (() => unknown) | undefined): void {
  const isUnanswered = error instanceof ApiError && error.isUnanswered && again !== undefined;
  const act = useEffectEvent(() => void again?.());
  // Each failure is another error. While one try is under way there is none, and nothing that takes its time is begun anew.
  useEffect(() => {
    if (!isUnanswered) return;
    const controller = new AbortController();
    const retry = () => {
      stop();
      act();
    };
    const timer = setTimeout(retry, PAUSE);
    const stop = () => {
      clearTimeout(timer);
      controller.abort();
    };
    addEventListener("online", retry, { signal: controller.signal });
    return stop;
  }, [isUnanswered, error]);
}
