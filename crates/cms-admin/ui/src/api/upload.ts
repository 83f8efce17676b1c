// Sending a file: how far it is, which `fetch` does not tell.

import { prefix, requestHeader } from "~/lib/site";

import { askToSignIn, refusal } from "./client";
import { ApiError } from "./errors";

interface Sending {
  /** The media type that the server is told; a form says its own. */
  type?: string;
  method?: "POST" | "PUT";
  /** How much has left, of 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a file as the body of a request, and answers with what is inside the envelope. Throws an `ApiError` when the server refused. */
export async function upload<Answer>(path: string, query: URLSearchParams, file: Blob | FormData, sending: Sending): Promise<Answer> {
  for (let isAgain = false; ; isAgain = true) {
    const { status, headers, body } = await send(`${prefix}/api${path}${query.size > 0 ? "?" : ""}${query.toString()}`, file, { ...sending, headers: { ...(sending.type ? { "content-type": sending.type } : {}), [requestHeader]: "1" } });
    if (status >= 200 && status < 300) return (body as { data: Answer }).data;
    if (status === 401 && !isAgain && (await askToSignIn())) continue;
    throw refusal(body, { status, headers });
  }
}

/** Sends a file to where somebody else keeps it, by an address that is a permission in itself: nothing of the session goes along. */
export async function uploadElsewhere(url: string, file: Blob, sending: Omit<Sending, "type"> & { headers: Record<string, string> }): Promise<void> {
  const { status, headers, body } = await send(url, file, sending);
  if (status < 200 || status >= 300) throw refusal(body, { status, headers });
}

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

function send(url: string, file: Blob | FormData, { method = "POST", headers, onProgress, signal }: Sending & { headers: Record<string, string> }): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve({ status: request.status, headers: headersOf(request), body: read(request.responseText) });
    request.onerror = () => reject(new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" }));
    request.onabort = () => reject(new DOMException("the upload was stopped", "AbortError"));
    if (signal.aborted) throw new DOMException("the upload was stopped", "AbortError");
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  return new Headers(lines.filter(Boolean).map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
