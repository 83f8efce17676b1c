// One request at a time of an operation: under way, answered or failed. It is stopped when its screen is left, and a newer one takes the place of an older.

import { useEffect, useRef, useState } from "react";

import { follow, send, type Answered, type Head, type Sent } from "../sending/send";
import type { StreamEvent } from "../sending/events";

/** As whom something was sent: with a token, or as whoever is signed in. */
interface Sender {
  token: string | undefined;
}

export type Outcome =
  | ({ kind: "answered"; answered: Answered } & Sender)
  | ({ kind: "stream"; head: Head; events: StreamEvent[]; count: number; isOpen: boolean } & Sender)
  | { kind: "failed"; isStopped: boolean };

/** As many events of a stream are shown, the newest of all. */
const SHOWN = 200;

export function useSending() {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, setSending] = useState(false);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  async function run(work: (signal: AbortSignal, tell: (outcome: Outcome) => void) => Promise<Outcome>): Promise<Outcome | undefined> {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const isNewest = () => current.current === controller;
    const tell = (outcome: Outcome) => isNewest() && setOutcome(outcome);
    setSending(true);
    let last: Outcome;
    try {
      last = await work(controller.signal, tell);
    } catch {
      last = { kind: "failed", isStopped: controller.signal.aborted };
    }
    if (!isNewest()) return undefined;
    // A stream that is stopped keeps what it told.
    if (last.kind === "failed") setOutcome((before) => (before?.kind === "stream" ? { ...before, isOpen: false } : last));
    else setOutcome(last);
    setSending(false);
    return last;
  }

  return {
    outcome,
    isSending,
    stop: () => current.current?.abort(),
    send: (sent: Sent) =>
      run(async (signal) => ({ kind: "answered", answered: await send(sent, signal), token: sent.token })),
    follow: (sent: Sent) =>
      run(async (signal, tell) => {
        const { token } = sent;
        let stream: Outcome & { kind: "stream" } = { kind: "stream", head: { status: 0, statusText: "", headers: [], milliseconds: 0 }, events: [], count: 0, isOpen: true, token };
        const text = await follow(sent, signal, {
          onHead: (head) => tell((stream = { ...stream, head })),
          onEvents: (events) => tell((stream = { ...stream, events: [...stream.events, ...events].slice(-SHOWN), count: stream.count + events.length })),
        });
        if (text === undefined) return { ...stream, isOpen: false };
        const body = new Blob([text], { type: "application/json" });
        return { kind: "answered", answered: { ...stream.head, bytes: body.size, body, isTooLong: false }, token };
      }),
  };
}
