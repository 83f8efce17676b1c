// Sends a request as it is shown, and tells what came back: nothing is unpacked, tried again or put right on the way.

import { prefix, requestHeader } from "~/lib/site";

import { eventReader, type StreamEvent } from "./events";

/** What is sent. `token` is who asks; without it, the session of this browser. */
export interface Sent {
  method: string;
  /** Below the address of the API. */
  address: string;
  headers: [name: string, value: string][];
  body?: { content: string | Blob; mediaType: string } | undefined;
  token: string | undefined;
}

/** The head of an answer. */
export interface Head {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  /** Until the head was there, in milliseconds. */
  milliseconds: number;
}

export interface Answered extends Head {
  /** What was read of the body, before it was packed for the way. */
  bytes: number;
  body: Blob;
  /** Whether there was more than is read. */
  isTooLong: boolean;
}

/** More than this is not read: it would only fill the memory of the page. */
export const MOST_BYTES = 64_000_000;

/** Sends a request and reads its answer. Throws when nobody answered, or when it was stopped. */
export async function send(sent: Sent, signal: AbortSignal): Promise<Answered> {
  const { response, head } = await begin(sent, signal);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let isTooLong = false;
  const reader = response.body?.getReader();
  for (let piece; reader && !(piece = await reader.read()).done; ) {
    if (bytes + piece.value.length > MOST_BYTES) {
      isTooLong = true;
      await reader.cancel();
      break;
    }
    pieces.push(piece.value);
    bytes += piece.value.length;
  }
  return { ...head, bytes, body: new Blob(pieces, { type: response.headers.get("content-type") ?? "" }), isTooLong };
}

/** Follows a stream until it ends or is stopped. An answer that is none is given back whole. */
export async function follow(sent: Sent, signal: AbortSignal, told: { onHead: (head: Head) => void; onEvents: (events: StreamEvent[]) => void }): Promise<string | undefined> {
  const { response, head } = await begin({ ...sent, headers: [...sent.headers, ["accept", "text/event-stream, application/json"]] }, signal);
  told.onHead(head);
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response.text();
  const read = eventReader();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (let piece; !(piece = await reader.read()).done; ) {
    const events = read(decoder.decode(piece.value, { stream: true }));
    if (events.length > 0) told.onEvents(events);
  }
  return undefined;
}

async function begin({ method, address, headers, body, token }: Sent, signal: AbortSignal): Promise<{ response: Response; head: Head }> {
  const sent = new Headers(headers);
  if (body) sent.set("content-type", body.mediaType);
  // A token needs no proof that a page of this site asks, and nothing of the session goes along with it.
  if (token === undefined) sent.set(requestHeader, "1");
  else sent.set("authorization", `Bearer ${token}`);
  const began = performance.now();
  const response = await fetch(`${prefix}/api${address}`, {
    method,
    headers: sent,
    ...(body ? { body: body.content } : {}),
    credentials: token === undefined ? "same-origin" : "omit",
    cache: "no-store",
    redirect: "manual",
    signal,
  });
  const { status, statusText } = response;
  return { response, head: { status, statusText, headers: [...response.headers], milliseconds: performance.now() - began } };
}
