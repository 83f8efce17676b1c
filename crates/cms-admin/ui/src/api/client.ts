// The one way to talk to the server: typed by its OpenAPI document, with the envelope taken off and failures as `ApiError`.

import createClient from "openapi-fetch";

import { prefix, requestHeader } from "~/lib/site";

import { ApiError, type Issue } from "./errors";
import type { paths } from "./schema";

/** What people are asked for in the middle of work. Each answer is whether the request can be sent again. */
export interface Asks {
  /** The session is over: the same person signs in again. What nobody asked for may be put off. */
  signIn: (isAskedFor: boolean) => Promise<boolean>;
  /** The session is too old for what was asked: its user proves that it is them, in one of some ways. */
  prove: (methods: string[]) => Promise<boolean>;
}

let asks: Asks | undefined;

/** Names what asks people. Only one can be named. */
export function onRefusal(asking: Asks | undefined): void {
  asks = asking;
}

/** Asks for a proof before anything is sent, so that nobody fills in a form for nothing. */
export function askToProve(methods: string[]): Promise<boolean> {
  return asks ? asks.prove(methods) : Promise.resolve(false);
}

/** How often a request is sent again: it may take a sign-in, and a proof after that. */
const AGAIN = 2;

/** Sends a request. One that was refused for want of a session, or of a fresh proof of who is there, is sent again once there is one. */
async function send(request: Request, isAskedFor = true): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const spare = request.clone();
    const response = await reach(request);
    if (tries === AGAIN || !(await isMended(request, response, isAskedFor))) return response;
    request = spare;
  }
}

/** Whether what a request was refused for the want of is there now. */
async function isMended(request: Request, response: Response, isAskedFor: boolean): Promise<boolean> {
  if (!asks || isWayIn(request)) return false;
  if (response.status === 401) return asks.signIn(isAskedFor);
  if (response.status !== 403) return false;
  const { error } = (await response.clone().json().catch(() => ({}))) as { error?: { code?: string; details?: { methods?: string[] } } };
  return error?.code === "REAUTHENTICATION_REQUIRED" && asks.prove(error.details?.methods ?? []);
}

/** Asks whoever is there to sign in again. Says whether a request can be sent again. */
export function askToSignIn(): Promise<boolean> {
  return asks ? asks.signIn(true) : Promise.resolve(false);
}

declare global {
  /** What `boot.js` asked for before the application was there, by path. */
  var cmsFirst: Partial<Record<string, Promise<Response>>> | undefined;
}

/** For how long the first answers are as good as new ones, in milliseconds: a slow phone begins in this time. */
const FRESH = 10_000;
setTimeout(() => (globalThis.cmsFirst = undefined), FRESH);

/** The answer to something that was asked for already, once. */
function first({ method, url }: Request): Promise<Response> | undefined {
  // Who changes something, as by signing in, gets other answers.
  if (method !== "GET") globalThis.cmsFirst = undefined;
  const path = new URL(url).pathname.slice(prefix.length + "/api".length);
  const answer = globalThis.cmsFirst?.[path];
  if (answer) delete globalThis.cmsFirst?.[path];
  return answer;
}

async function reach(request: Request): Promise<Response> {
  try {
    return await (first(request) ?? fetch(request));
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" });
  }
}

/** Requests that sign somebody in, prove who is there, or look who is: their refusal is an answer, and no reason to ask. */
function isWayIn({ method, url }: Request): boolean {
  const path = new URL(url).pathname;
  return /\/(setup(\/|$)|auth\/(reauth\/|passkey\/(options|verify)|magic-link\/|signup\/|invite\/|logout))/.test(path) || (method === "GET" && path.endsWith("/auth/me"));
}

/** Sends what goes out by itself, such as what is saved at a pause in typing. */
export const unasked = (request: Request) => send(request, false);

export const api = createClient<paths>({
  baseUrl: `${location.origin}${prefix}/api`,
  fetch: (request) => send(request),
  headers: { [requestHeader]: "1" },
});

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The type inside the envelope. */
type Inside<A> = A extends { data: { data: infer T } } ? T : never;

/** What the server answered, out of its envelope; throws an `ApiError` when it refused. */
export async function answer<A extends Answer>(asked: Promise<A>): Promise<Inside<A>> {
  const { data, error, response } = await asked;
  if (response.ok) return (data as { data?: Inside<A> } | undefined)?.data as Inside<A>;
  throw refusal(error, response);
}

/** What the server refused a request with. */
export function refusal(body: unknown, response: { status: number; headers: Headers }): ApiError {
  const said = (body as { error?: { code?: string; message?: string; details?: Record<string, unknown> & { issues?: Issue[] } } } | undefined)?.error;
  const wait = Number(response.headers.get("retry-after"));
  return new ApiError({
    status: response.status,
    code: said?.code ?? "BAD_ANSWER",
    message: said?.message ?? `the server answered ${response.status}`,
    issues: said?.details?.issues ?? [],
    details: said?.details ?? {},
    ...(wait > 0 ? { retryAfter: wait } : {}),
    ...(response.headers.has("x-request-id") ? { requestId: response.headers.get("x-request-id") ?? "" } : {}),
  });
}
