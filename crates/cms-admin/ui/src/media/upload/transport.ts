// How the bytes of a file get into the library: announced with what names them, sent to where the server says, and confirmed.

import { answer, api } from "~/api/client";
import { ApiError, isCode } from "~/api/errors";
import type { UploadTarget } from "~/api/types";
import { upload, uploadElsewhere } from "~/api/upload";
import { answers } from "~/lib/lazily";
import { pause } from "~/lib/pause";
import { prefix } from "~/lib/site";

import type { Transport } from "./uploads";

/** Up to this size bytes are named before they are sent, which reads all of them into memory; larger ones the server names when they are there. */
const NAMED = 64 * 1024 * 1024;
/** The time between two looks whether the server is back, in milliseconds. */
const LOOK = 3_000;

/** The SHA-1 of a file as the server writes it; undefined where a browser has none, as without encryption, or where the file is large. */
export async function hashOf(file: Blob): Promise<string | undefined> {
  if (file.size > NAMED || !("subtle" in crypto)) return undefined;
  const digest = await crypto.subtle.digest("SHA-1", await file.arrayBuffer());
  return `sha1:${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export const transport: Transport = {
  announce: async (file, { folderId, fieldId }, signal) => {
    const contentHash = await hashOf(file);
    const body = { filename: file.name, contentType: file.type || "application/octet-stream", size: file.size, ...(contentHash ? { contentHash } : {}), ...(folderId ? { folderId } : {}), ...(fieldId ? { fieldId } : {}) };
    return answer(api.POST("/media/upload-url", { body, signal }));
  },
  send: async (target, file, { onProgress, signal }) => {
    const { uploadUrl, headers } = target;
    if (!uploadUrl) throw new ApiError({ status: 200, code: "BAD_ANSWER", message: "the server did not say where the file goes" });
    const own = pathOf(uploadUrl);
    if (own === undefined) await sendElsewhere(target, uploadUrl, file, { onProgress, signal });
    else await upload(own, new URLSearchParams(), file, { method: method(target), type: headers?.["content-type"] ?? headers?.["Content-Type"] ?? file.type, onProgress, signal });
  },
  confirm: async (id, signal) => {
    const { item, deduplicated } = await answer(api.POST("/media/{id}/confirm", { params: { path: { id } }, body: {}, signal }));
    return { id: item.id, isKnown: deduplicated === true };
  },
  isBack: async () => {
    do {
      await backOrSoon();
    } while (!navigator.onLine || !(await answers()));
  },
};

/** Sends a file to a bucket, or through the server where the browser is not let there. */
async function sendElsewhere(target: UploadTarget, url: string, file: File, sending: { onProgress: (share: number) => void; signal: AbortSignal }): Promise<void> {
  try {
    await uploadElsewhere(url, file, { method: method(target), headers: target.headers ?? {}, ...sending });
  } catch (error) {
    if (!isCode(error, "NETWORK") || !(await answers())) throw error;
    await upload(`/media/${target.mediaId}/upload`, new URLSearchParams(), file, { method: "PUT", type: file.type || "application/octet-stream", ...sending });
  }
}

function method({ method }: UploadTarget): "POST" | "PUT" {
  return method === "POST" ? "POST" : "PUT";
}

/** The path of an address of this server's interface; undefined for one that is elsewhere. */
function pathOf(url: string): string | undefined {
  const start = `${prefix}/api`;
  return url.startsWith(`${start}/`) ? url.slice(start.length) : undefined;
}

/** A few seconds, or until the browser is back on the network. */
function backOrSoon(): Promise<void> {
  const controller = new AbortController();
  const isBack = new Promise<void>((resolve) => addEventListener("online", () => resolve(), { signal: controller.signal }));
  return Promise.race([isBack, pause(LOOK)]).finally(() => controller.abort());
}
