// A server that a test makes up: it answers by path, and notes what it was asked for.

import { vi } from "vitest";

export interface Asked {
  path: string;
  query: URLSearchParams;
  signal: AbortSignal;
}

type Answer = object | { status: number; code: string } | Promise<object>;

/** Answers to reads. What nobody thought of is not there. */
export function pretend(answers: (asked: Asked) => Answer | undefined): Asked[] {
  const asked: Asked[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, signal } = request as Request;
    const { pathname, searchParams } = new URL(url);
    const one = { path: pathname.replace(/^.*?\/api/, ""), query: searchParams, signal };
    asked.push(one);
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
    const answer = await Promise.race([answers(one), aborted]);
    if (answer === undefined) return json(404, { error: { code: "NOT_FOUND", message: "not there" } });
    if ("status" in answer && "code" in answer) return json(answer.status, { error: { code: answer.code, message: "made for the test" } });
    return json(200, { data: answer });
  });
  return asked;
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
