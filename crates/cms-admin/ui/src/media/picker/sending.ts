// Files on their way to the library: one at a time or several, in a dialog, a field or a text. Who leaves the page while one is on its way is asked first.

import { useSyncExternalStore } from "react";

import { answer, api } from "~/api/client";
import { ApiError } from "~/api/errors";
import { sendTo } from "~/api/upload";

import type { MediaItem } from "./value";

/** Files up to this size are compared with what the library has before they are sent, in bytes: to take their sum they are read as a whole. */
const MAX_SUMMED = 8 * 1024 * 1024;

let count = 0;
const listeners = new Set<() => void>();

function note(change: 1 | -1): void {
  count += change;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a file is on its way now. */
export const isSending = (): boolean => count > 0;

/** The same for what is drawn. */
export function useIsSending(): boolean {
  return useSyncExternalStore(subscribe, isSending);
}

interface Sending {
  /** The field that it is for: the server takes what that one takes. */
  fieldId?: string | undefined;
  /** How much has left, of 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Brings a file into the library. What the library has already is not sent. */
export async function send(file: File, sending: Sending): Promise<MediaItem> {
  note(1);
  try {
    return await bring(file, sending);
  } finally {
    note(-1);
  }
}

async function bring(file: File, { fieldId, onProgress, signal }: Sending): Promise<MediaItem> {
  const contentHash = await sumOf(file);
  signal.throwIfAborted();
  const body = { filename: file.name, contentType: file.type || "application/octet-stream", size: file.size, ...(contentHash ? { contentHash } : {}), ...(fieldId ? { fieldId } : {}) };
  const target = await answer(api.POST("/media/upload-url", { body, signal }));
  const path = { id: target.mediaId };
  if (target.existing) return (await answer(api.GET("/media/{id}", { params: { path }, signal }))).item;
  if (!target.uploadUrl) throw new ApiError({ status: 502, code: "BAD_ANSWER", message: "the server did not say where to send the file" });
  await sendTo({ url: target.uploadUrl, method: target.method ?? "PUT", headers: target.headers ?? {} }, file, { onProgress, signal });
  return (await answer(api.POST("/media/{id}/confirm", { params: { path }, body: { size: file.size }, signal }))).item;
}

/** The sum by which the library knows what it has. Browsers take sums on safe connections alone; without one the bytes are sent. */
async function sumOf(file: File): Promise<string | undefined> {
  // It is undefined on plain HTTP, whatever its type says.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle || file.size > MAX_SUMMED) return undefined;
  const sum = await subtle.digest("SHA-1", await file.arrayBuffer());
  return `sha1:${Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
