// The one stream of a browser, for all tabs of the application (SharedWorker, HTML Standard 10.2).

import { feedAt, type Feed } from "./feed";
import type { Asked } from "./follow";

interface Port {
  onmessage: ((event: MessageEvent<Asked>) => void) | null;
  postMessage: (told: unknown) => void;
}

let feed: Feed | undefined;

Object.assign(globalThis, {
  onconnect: ({ ports: [port] }: { ports: Port[] }) => {
    if (!port) return;
    port.onmessage = ({ data: { address, id, lock } }) => {
      feed ??= feedAt(address);
      feed.follow(port, id, (news) => port.postMessage(news));
      // The tab holds it as long as it follows: no tab says that it crashed.
      void navigator.locks.request(lock, () => feed?.leave(port));
    };
  },
});
