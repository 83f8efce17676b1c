// Sending a file: how far it is, which `fetch` does not tell.

import { prefix, requestHeader } from "~/lib/site";

import { askToSignIn, refusal } from "./client";
import { ApiError } from "./errors";

interface Sending {
  /** The media type that the server is told. */
  type: string;
  /** How much has left, of 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a file as the body of a request, and answers with what is inside the envelope. Throws an `ApiError` when the server refused. */
export async function upload<Answer>(path: string, query: URLSearchParams, file: Blob, sending: Sending): Promise<Answer> {
  for (let isAgain = false; ; isAgain = true) {
    const { status, headers, body } = await send(`${prefix}/api${path}?${query.toString()}`, file, sending);
    if (status >= 200 && status < 300) return (body as { data: Answer }).data;
    if (status === 401 && !isAgain && (await askToSignIn())) continue;
    throw refusal(body, { status, headers });
  }
}

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Where the server says that the bytes of a file go: to itself, or to a bucket. */
interface Target {
  url: string;
  method: string;
  headers: Record<string, string>;
}

/** Sends a file to where the server said. Throws an `ApiError` when it is refused there. */
export async function sendTo({ url, method, headers }: Target, file: Blob, sending: Omit<Sending, "type">): Promise<void> {
  // A bucket is not told what proves who is there.
  const isOurs = url.startsWith("/");
  for (let isAgain = false; ; isAgain = true) {
    const { status, headers: answered, body } = await transfer(method, url, isOurs ? { ...headers, [requestHeader]: "1" } : headers, file, sending);
    if (status >= 200 && status < 300) return;
    if (status === 401 && isOurs && !isAgain && (await askToSignIn())) continue;
    throw refusal(body, { status, headers: answered });
  }
}

function send(url: string, file: Blob, { type, ...sending }: Sending): Promise<Answered> {
  return transfer("POST", url, { "content-type": type, [requestHeader]: "1" }, file, sending);
}

function transfer(method: string, url: string, headers: Record<string, string>, file: Blob, { onProgress, signal }: Omit<Sending, "type">): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve({ status: request.status, headers: headersOf(request), body: read(request.responseText) });
    request.onerror = () => reject(new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" }));
    request.onabort = () => reject(new DOMException("the upload was stopped", "AbortError"));
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
