// Files that were given to a dialog or a field, and how far each is.

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

import type { MediaItem } from "~/api/types";
import type { Upload } from "~/components/upload/UploadQueue";

import { refusalOf, refusedBefore, type Refusal } from "./refusal";
import { send } from "./sending";

/** How many are sent at once: more would only share the line. */
const AT_ONCE = 3;

interface Given {
  /** The types that the place takes. */
  allowed: readonly string[];
  fieldId?: string | undefined;
  onDone: (item: MediaItem) => void;
}

interface Waiting {
  file: File;
  controller: AbortController;
}

export function useUploads({ allowed, fieldId, onDone }: Given) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const files = useRef(new Map<string, Waiting>());
  const waiting = useRef<string[]>([]);
  const running = useRef(0);

  const change = useCallback((id: string, members: Partial<Upload>) => setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...members } : upload))), []);
  const refuse = useCallback((id: string, { text, isFinal }: Refusal) => change(id, { state: "failed", problem: text, isFinal }), [change]);

  const [turn, setTurn] = useState(0);
  const pump = useCallback(() => setTurn((turn) => turn + 1), []);
  const run = async (id: string, { file, controller }: Waiting) => {
    running.current += 1;
    change(id, { state: "sending", share: 0 });
    try {
      const item = await send(file, { fieldId, onProgress: (share) => change(id, { share }), signal: controller.signal });
      change(id, { state: "done", share: 1 });
      files.current.delete(id);
      onDone(item);
    } catch (error) {
      if (!controller.signal.aborted) refuse(id, refusalOf(error));
    } finally {
      running.current -= 1;
      pump();
    }
  };
  const next = useEffectEvent(() => {
    while (running.current < AT_ONCE) {
      const id = waiting.current.shift();
      if (id === undefined) return;
      const one = files.current.get(id);
      if (one) void run(id, one);
    }
  });
  // What is on its way ends with whoever asked for it.
  useEffect(() => {
    const all = files.current;
    return () => {
      waiting.current = [];
      for (const { controller } of all.values()) controller.abort();
    };
  }, []);
  useEffect(() => next(), [turn]);

  const add = useCallback(
    (given: readonly File[]) => {
      const made = given.map((file): Upload => {
        const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
        const refused = refusedBefore(file, allowed);
        if (!refused) {
          files.current.set(id, { file, controller: new AbortController() });
          waiting.current.push(id);
        }
        return { id, name: file.name, size: file.size, share: 0, ...(refused ? { state: "failed", problem: refused.text, isFinal: refused.isFinal } : { state: "waiting" }) };
      });
      setUploads((all) => [...all, ...made]);
      pump();
    },
    [allowed, pump],
  );

  const cancel = useCallback((id: string) => {
    files.current.get(id)?.controller.abort();
    files.current.delete(id);
    waiting.current = waiting.current.filter((other) => other !== id);
    setUploads((all) => all.filter((upload) => upload.id !== id));
  }, []);

  const retry = useCallback(
    (id: string) => {
      const one = files.current.get(id);
      if (!one) return;
      files.current.set(id, { ...one, controller: new AbortController() });
      waiting.current.push(id);
      change(id, { state: "waiting", problem: undefined });
      pump();
    },
    [change, pump],
  );

  const clear = useCallback(() => setUploads((all) => all.filter(({ state }) => state !== "done")), []);
  return { uploads, add, cancel, retry, clear };
}
