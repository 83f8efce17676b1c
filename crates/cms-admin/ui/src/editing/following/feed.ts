// News of the entries that somebody has open, by one stream for all of them: who asks for what, and when the stream is opened anew.

import type { components } from "~/api/schema";

type Watched = components["schemas"]["WatchedEntry"];

/** An entry as the stream tells of it. A server of the release before, beside which this one works, does not tell who has it open. */
export type News = Omit<Watched, "people"> & Partial<Pick<Watched, "people">>;

/** What is told: news of an entry, null where it is not there any more, or nothing where nobody can know. */
export type Tell = (news: News | null | undefined) => void;

/** The part of an `EventSource` that is needed. */
export interface Stream {
  addEventListener: (type: string, listener: (event: MessageEvent<string>) => void) => void;
  readonly readyState: number;
  close: () => void;
}

/** As `EventSource.CLOSED`. */
const CLOSED = 2;
/** How long to wait before a stream is opened again that the server refused, in milliseconds: twice as long each time, as somebody may be signed out for long. */
const AGAIN = 5_000;
const LONGEST = 300_000;

interface Follower {
  id: string;
  tell: Tell;
}

/** News from an address of the server. */
export function feedAt(address: string): Feed {
  return new Feed((ids) => new EventSource(`${address}?ids=${ids.join()}`));
}

export class Feed {
  readonly #open: (ids: string[]) => Stream;
  readonly #followers = new Map<object, Follower>();
  #stream: Stream | undefined;
  /** What the open stream is about. */
  #ids = "";
  #refusals = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(open: (ids: string[]) => Stream) {
    this.#open = open;
  }

  /** Tells of an entry until `leave` is called with the same key. */
  follow(key: object, id: string, tell: Tell): void {
    this.#followers.set(key, { id, tell });
    this.#refusals = 0;
    this.#renew();
  }

  leave(key: object): void {
    if (this.#followers.delete(key)) this.#renew();
  }

  /** Opens a stream over all that is followed, unless there is one. */
  #renew(): void {
    const ids = [...new Set([...this.#followers.values()].map(({ id }) => id))].sort();
    if (this.#stream && ids.join() === this.#ids) return;
    this.#close();
    if (ids.length === 0) return;
    this.#ids = ids.join();
    const stream = this.#open(ids);
    this.#stream = stream;
    stream.addEventListener("message", ({ data }) => {
      this.#refusals = 0;
      const { items } = JSON.parse(data) as { items: News[] };
      for (const { id, tell } of this.#followers.values()) tell(items.find((one) => one.id === id) ?? null);
    });
    // A connection that broke is opened again by the browser.
    stream.addEventListener("error", () => this.#broken(stream, stream.readyState === CLOSED));
    stream.addEventListener("failed", () => this.#broken(stream, true));
  }

  #broken(stream: Stream, isOver: boolean): void {
    if (stream !== this.#stream) return;
    for (const { tell } of this.#followers.values()) tell(undefined);
    if (!isOver) return;
    this.#close();
    this.#waiting = setTimeout(() => this.#renew(), Math.min(AGAIN * 2 ** this.#refusals++, LONGEST));
  }

  #close(): void {
    clearTimeout(this.#waiting);
    this.#stream?.close();
    this.#stream = undefined;
    this.#ids = "";
  }
}
