// A call as the message that calls its tool: the JSON-RPC of the Model Context Protocol.

import type { Call } from "./call";
import { isJson, laidOut, membersOf } from "./json";

/** The message that calls a tool with arguments that are an object of JSON; nothing where they are not. */
export function toolCall(tool: string, args: string): string | undefined {
  if (!membersOf(args)) return undefined;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)},"arguments":${args}}}`;
}

/** The arguments of a call's tool: its parameters and the members of its body, as they were typed. Nothing where the body is no object. */
export function argumentsOf({ parameters, body }: Pick<Call, "parameters" | "body">): string | undefined {
  const sent = typeof body === "string" && body.trim() !== "" ? membersOf(body) : [];
  if (!sent || typeof body === "object") return undefined;
  const given = parameters
    .filter((argument) => argument.in !== "header")
    .map(({ name, value, isJson: isRaw }) => ({ key: JSON.stringify(name), value: isRaw && isJson(value) ? value : JSON.stringify(value) }));
  return `{${[...given, ...sent].map(({ key, value }) => `${key}:${value}`).join(",")}}`;
}

/** The call of a tool, laid out; nothing where no tool does it, or where the body is no object yet. */
export function mcp(call: Call, tool: string | undefined): string | undefined {
  const args = tool === undefined ? undefined : argumentsOf(call);
  const message = tool === undefined || args === undefined ? undefined : toolCall(tool, args);
  return message && laidOut(message);
}
