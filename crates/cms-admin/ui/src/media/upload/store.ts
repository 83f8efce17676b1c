// The uploads of this page: they go on from screen to screen, until they are through or the session ends.

import { useSyncExternalStore } from "react";

import { beforeLeaving } from "~/session/leaving";
import { dock } from "~/shell/dock";

import { transport } from "./transport";
import { Uploads } from "./uploads";

export const uploads = new Uploads(transport);

beforeLeaving(() => {
  uploads.cancelAll();
  return Promise.resolve();
});

/** Sends files into the library. */
export function send(files: readonly File[], folderId?: string): void {
  if (files.length === 0) return;
  uploads.add(files, folderId);
  dock(true);
}

export function useUploads() {
  return useSyncExternalStore(uploads.subscribe, uploads.list);
}
