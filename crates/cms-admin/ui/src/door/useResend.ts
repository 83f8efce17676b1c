// Having a letter sent again, not too often.

import { useEffect, useState } from "react";

import { messageOf } from "~/api/errors";

/** Seconds until a letter can be asked for again: three may be asked for in five minutes. */
const PAUSE = 60;

/** Begins with a pause: a letter has just been sent. */
export function useResend(send: () => Promise<unknown>) {
  const [left, setLeft] = useState(PAUSE);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isWaiting = left > 0;

  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setLeft((left) => left - 1), 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return {
    /** Seconds until it can be sent again. */
    left,
    isPending,
    problem,
    again: async () => {
      setPending(true);
      setProblem(undefined);
      try {
        await send();
      } catch (error) {
        setProblem(messageOf(error));
      } finally {
        setLeft(PAUSE);
        setPending(false);
      }
    },
  };
}
