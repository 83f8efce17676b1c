// Files on their way to the library, one after the other and some at once. Nothing here knows the page: how bytes travel is told from outside.
//
// A file is announced, sent and confirmed. How far it got is remembered, so that a lost answer leads to the next step and not to a second file; and the server
// knows bytes that it has.

import { ApiError, isCode } from "~/api/errors";
import type { UploadTarget } from "~/api/types";

export type State = "waiting" | "sending" | "paused" | "done" | "failed";

export interface Sent {
  id: string;
  /** The library had these bytes already. */
  isKnown: boolean;
}

/** What a file is for: a folder of the library, or a field, of which the types are taken alone. */
export interface Purpose {
  folderId?: string | undefined;
  fieldId?: string | undefined;
}

/** How files travel. */
export interface Transport {
  announce: (file: File, purpose: Purpose, signal: AbortSignal) => Promise<UploadTarget>;
  send: (target: UploadTarget, file: File, sending: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<void>;
  confirm: (id: string, signal: AbortSignal) => Promise<Sent>;
  /** Resolves when the server may be reached again. */
  isBack: (signal: AbortSignal) => Promise<void>;
}

/** A file as it is shown. It is made anew whenever something about it changes. */
export interface Uploading {
  id: string;
  file: File;
  folderId: string | undefined;
  state: State;
  share: number;
  /** It waits until the server can be reached. */
  isOffline?: boolean;
  error?: unknown;
  sent?: Sent;
}

/** How many files are sent at once: more of them only share the line, and the server's patience. */
export const AT_ONCE = 3;

/** Answers that another try does not change: what was sent is refused for what it is, or for who sends it. */
const FINAL = ["VALIDATION_ERROR", "INVALID_TYPE", "INVALID_IMAGE", "PAYLOAD_TOO_LARGE", "NO_STORAGE", "INSUFFICIENT_PERMISSIONS", "INSUFFICIENT_SCOPE", "USER_NOT_AUTHORIZED", "ACCOUNT_DISABLED"];
/** Answers after which a file is announced once more: it was forgotten meanwhile, or did not arrive whole. */
const FORGOTTEN = ["NOT_FOUND", "FILE_NOT_FOUND", "UPLOAD_SIZE_MISMATCH"];

/** Whether another try would fail in the same way. */
export function isFinal(error: unknown): boolean {
  return isCode(error, ...FINAL);
}

interface Journey {
  target?: UploadTarget | undefined;
  hasArrived: boolean;
  wasForgotten: boolean;
  stop?: AbortController | undefined;
}

export class Uploads {
  #list: readonly Uploading[] = [];
  readonly #journeys = new Map<string, Journey>();
  readonly #listeners = new Set<() => void>();
  readonly #transport: Transport;
  #number = 0;
  #back: AbortController | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  readonly list = (): readonly Uploading[] => this.#list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(files: readonly File[], folderId?: string): void {
    this.#change([...this.#list, ...files.map((file): Uploading => ({ id: String(++this.#number), file, folderId, state: "waiting", share: 0 }))]);
    this.#next();
  }

  pause(id: string): void {
    this.#set(id, { state: "paused" });
    this.#journeys.get(id)?.stop?.abort();
    this.#next();
  }

  /** Goes on with one that is paused or failed, from the step that it had got to. */
  resume(id: string): void {
    this.#set(id, { state: "waiting", error: undefined });
    this.#next();
  }

  /** Stops one, and forgets it. */
  cancel(id: string): void {
    const stop = this.#journeys.get(id)?.stop;
    this.#journeys.delete(id);
    this.#change(this.#list.filter((one) => one.id !== id));
    stop?.abort();
    this.#next();
  }

  cancelAll(): void {
    for (const { id, state } of this.#list) if (state !== "done") this.cancel(id);
    this.clear();
  }

  /** Takes away what is done. */
  clear(): void {
    for (const { id, state } of this.#list) if (state === "done") this.#journeys.delete(id);
    this.#change(this.#list.filter(({ state }) => state !== "done"));
  }

  isBusy(): boolean {
    return this.#list.some(({ state }) => state === "waiting" || state === "sending");
  }

  #change(list: readonly Uploading[]): void {
    this.#list = list;
    this.#listeners.forEach((listener) => listener());
  }

  #set(id: string, change: Partial<Uploading>): void {
    this.#change(this.#list.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /** Starts as many as can be on their way. */
  #next(): void {
    // While the server is away nothing is tried; what waits is tried again when it is back.
    if (this.#back) return;
    let free = AT_ONCE - this.#list.filter(({ state }) => state === "sending").length;
    for (const { id, state } of this.#list) {
      if (free <= 0) return;
      if (state !== "waiting") continue;
      free -= 1;
      void this.#go(id);
    }
  }

  async #go(id: string): Promise<void> {
    const one = this.#list.find((one) => one.id === id);
    if (!one) return;
    const journey = this.#journeys.get(id) ?? { hasArrived: false, wasForgotten: false };
    const stop = new AbortController();
    journey.stop = stop;
    this.#journeys.set(id, journey);
    this.#set(id, { state: "sending", isOffline: false });
    try {
      const sent = await this.#carry(one, journey, stop.signal);
      if (!stop.signal.aborted) this.#set(id, { state: "done", share: 1, sent });
    } catch (error) {
      // Whoever stopped it has said what it is now.
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.isUnanswered) this.#waitForServer(id);
      else this.#set(id, { state: "failed", error });
    }
    this.#next();
  }

  async #carry(one: Uploading, journey: Journey, signal: AbortSignal): Promise<Sent> {
    const { id, file, folderId } = one;
    try {
      journey.target ??= await this.#transport.announce(file, { folderId }, signal);
      if (journey.target.existing) return { id: journey.target.mediaId, isKnown: true };
      if (!journey.hasArrived) await this.#transport.send(journey.target, file, { onProgress: (share) => this.#set(id, { share }), signal });
      journey.hasArrived = true;
      return await this.#transport.confirm(journey.target.mediaId, signal);
    } catch (error) {
      if (!journey.target || journey.wasForgotten || !isCode(error, ...FORGOTTEN)) throw error;
      journey.target = undefined;
      journey.hasArrived = false;
      journey.wasForgotten = true;
      return this.#carry(one, journey, signal);
    }
  }

  #waitForServer(id: string): void {
    this.#set(id, { state: "waiting", isOffline: true });
    if (this.#back) return;
    const back = new AbortController();
    this.#back = back;
    void this.#transport.isBack(back.signal).then(() => {
      this.#back = undefined;
      this.#next();
    });
  }
}
