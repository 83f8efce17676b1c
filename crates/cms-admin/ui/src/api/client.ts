// The one way to talk to the server: typed by its OpenAPI document, with the envelope taken off and failures as `ApiError`.

import createClient from "openapi-fetch";

import { prefix, requestHeader } from "~/lib/site";

import { ApiError, type Issue } from "./errors";
import type { paths } from "./schema";

/** What is done when the session ended in the middle of work: resolves to true once the same person is signed in again. */
type SignInAgain = () => Promise<boolean>;

let signInAgain: SignInAgain | undefined;

/** Names what asks people to sign in again. Only one can be named. */
export function onSignedOut(ask: SignInAgain | undefined): void {
  signInAgain = ask;
}

/** Sends a request. One that was refused because the session is over is sent again when its sender has signed in again. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await reach(request);
  if (response.status !== 401 || !signInAgain || isWayIn(request)) return response;
  return (await signInAgain()) ? reach(again) : response;
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" });
  }
}

/** Requests that sign somebody in, or look who is: their refusal is an answer, and no session that is over. */
function isWayIn({ method, url }: Request): boolean {
  const path = new URL(url).pathname;
  return /\/(setup(\/|$)|auth\/(passkey\/(options|verify)|magic-link\/|signup\/|invite\/|logout))/.test(path) || (method === "GET" && path.endsWith("/auth/me"));
}

export const api = createClient<paths>({
  baseUrl: `${location.origin}${prefix}/api`,
  fetch: send,
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

function refusal(body: unknown, response: Response): ApiError {
  const said = (body as { error?: { code?: string; message?: string; details?: { issues?: Issue[] } } } | undefined)?.error;
  const wait = Number(response.headers.get("retry-after"));
  return new ApiError({
    status: response.status,
    code: said?.code ?? "BAD_ANSWER",
    message: said?.message ?? `the server answered ${response.status}`,
    issues: said?.details?.issues ?? [],
    ...(wait > 0 ? { retryAfter: wait } : {}),
    ...(response.headers.has("x-request-id") ? { requestId: response.headers.get("x-request-id") ?? "" } : {}),
  });
}
