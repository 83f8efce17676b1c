// Follows an open entry: what others do to it is known at once. A browser has one stream for all its tabs, in a worker that they share; where it has no such
// workers, each tab has its own.

import { prefix } from "~/lib/site";

import { feedAt, type Feed, type Tell } from "./feed";

/** What a tab asks the worker for. */
export interface Asked {
  address: string;
  id: string;
  /** The name of a lock (Web Locks API) that the tab holds as long as it follows. */
  lock: string;
}

const address = `${prefix}/api/content-events`;

let own: Feed | undefined;

/** Tells of an entry until the answer is called. */
export function follow(id: string, tell: Tell): () => void {
  if (!("SharedWorker" in globalThis) || !("locks" in navigator)) return alone(id, tell);
  let leave: () => void = () => undefined;
  const lock = `cms-follow ${crypto.randomUUID()}`;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const worker = new SharedWorker(new URL("./follow.worker.ts", import.meta.url), { type: "module", name: "cms-follow" });
  worker.port.onmessage = ({ data }: MessageEvent<Parameters<Tell>[0]>) => tell(data);
  void navigator.locks.request(lock, () => {
    worker.port.postMessage({ address, id, lock } satisfies Asked);
    return left;
  });
  // A worker whose file is gone, since the server has another version by now.
  worker.onerror = () => {
    leave();
    leave = alone(id, tell);
  };
  return () => {
    leave();
    worker.port.close();
  };
}

function alone(id: string, tell: Tell): () => void {
  const key = {};
  own ??= feedAt(address);
  own.follow(key, id, tell);
  return () => own?.leave(key);
}
