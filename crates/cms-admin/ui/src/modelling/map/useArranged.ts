// Where the boxes of a map stand, found out beside the page. Where that takes too long, they stand in rows.

import { useEffect, useState } from "react";

import { answers, beginAgain } from "~/lib/lazily";

import type { Arranged, Edge, Size } from "./layout";

/** How long the order of boxes is looked for, in milliseconds. Some hundred collections that all refer to each other may take minutes. */
const PATIENCE = 10_000;

export interface Arrangement {
  /** What it is of: another one is on its way where that is not what was asked for. */
  of: Wanted;
  arranged: Arranged;
  /** There are too many relations for an order to be found in time. */
  isPlain: boolean;
}

export interface Wanted {
  sizes: Size[];
  edges: Edge[];
}

/** The arrangement of what is wanted; the one before until there is one. `again` tries once more what failed. */
export function useArranged(wanted: Wanted): { arrangement: Arrangement | undefined; error: unknown; again: () => void } {
  const [arrangement, setArrangement] = useState<Arrangement>();
  const [failed, setFailed] = useState<{ of: Wanted; error: unknown }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let worker: Worker | undefined;
    let timer = 0;
    const stop = () => {
      worker?.terminate();
      window.clearTimeout(timer);
    };
    const begin = (isPlain: boolean) => {
      stop();
      worker = new Worker(new URL("./arrange.worker.ts", import.meta.url), { type: "module", name: "cms-arrange" });
      worker.onmessage = ({ data }: MessageEvent<Arranged>) => {
        stop();
        setFailed(undefined);
        setArrangement({ of: wanted, arranged: data, isPlain });
      };
      worker.onerror = (event) => {
        stop();
        setFailed({ of: wanted, error: event.error ?? new Error("the map could not be laid out") });
        // A worker whose file is gone, since the server has another version by now, has no message.
        if (!event.message) void answers().then((isThere) => isThere && beginAgain());
      };
      worker.postMessage({ ...wanted, isPlain });
      if (!isPlain) timer = window.setTimeout(() => begin(true), PATIENCE);
    };
    begin(false);
    return stop;
  }, [wanted, tries]);
  return { arrangement, error: failed?.of === wanted ? failed.error : undefined, again: () => setTries(tries + 1) };
}
