// Files on their way to the library: one at a time or several, in a dialog, a field or a text. Who leaves the page while one is on its way is asked first.

import { useSyncExternalStore } from "react";

import { answer, api } from "~/api/client";
import type { MediaItem } from "~/api/types";
import { transport } from "~/media/upload/transport";

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
  const target = await transport.announce(file, { fieldId }, signal);
  if (target.existing) return itemOf(target.mediaId, signal);
  await transport.send(target, file, { onProgress, signal });
  return itemOf((await transport.confirm(target.mediaId, signal)).id, signal);
}

async function itemOf(id: string, signal: AbortSignal): Promise<MediaItem> {
  return (await answer(api.GET("/media/{id}", { params: { path: { id } }, signal }))).item;
}
