// The MCP endpoint as an agent speaks with it: each message is a request of its own, with a token.

import { queryOptions } from "@tanstack/react-query";

import { ApiError } from "~/api/errors";

import type { Schema } from "../document/types";
import { send, type Sent } from "../sending/send";

export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
}

/** Pages of tools that are asked for at most: whatever a server says, a list ends. */
const PAGES = 50;

/** A message as a request. */
export function message(content: string, token: string | undefined): Sent {
  return { method: "POST", address: "/mcp", headers: [["accept", "application/json, text/event-stream"]], body: { content, mediaType: "application/json" }, token };
}

interface Listed {
  result?: { tools?: Tool[]; nextCursor?: string };
  error?: { message?: string; code?: string | number };
}

async function list(token: string, signal: AbortSignal): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { result, error, status } = await ask({ jsonrpc: "2.0", id: page + 1, method: "tools/list", params }, token, signal);
    if (!result) throw new ApiError({ status, code: String(error?.code ?? "BAD_ANSWER"), message: error?.message ?? `the server answered ${status}` });
    tools.push(...(result.tools ?? []));
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

async function ask(asked: object, token: string, signal: AbortSignal): Promise<Listed & { status: number }> {
  try {
    const { status, body } = await send(message(JSON.stringify(asked), token), signal);
    const read = (await body.text().then(JSON.parse).catch(() => ({}))) as Listed;
    return { ...read, status };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "the server cannot be reached" });
  }
}

/** Every tool that the role of whoever has a token may call. `id` names the token, so that it is in no key. */
export const toolList = (id: string, token: string) =>
  queryOptions({ queryKey: ["explorer", "tools", id], queryFn: ({ signal }) => list(token, signal), staleTime: 5 * 60_000, gcTime: 0 });
