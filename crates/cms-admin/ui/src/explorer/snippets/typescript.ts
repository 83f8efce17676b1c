// A call as a piece of a program in TypeScript, with `fetch`.

import { addressOf, headersOf, type Call, type Site } from "./call";
import { TOKEN } from "./curl";
import { isExpression, isJson, laidOut } from "./json";

export function typescript(call: Call, { origin, prefix }: Site): string {
  const { method, body, answer = "json" } = call;
  const headers = [
    `    authorization: \`Bearer \${process.env.${TOKEN}}\`,`,
    ...headersOf(call).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
    ...(body === undefined ? [] : [`    "content-type": ${literal(typeof body === "string" ? "application/json" : body.mediaType)},`]),
  ];
  const lines = [
    `const response = await fetch(${literal(`${origin}${prefix}/api${addressOf(call)}`)}, {`,
    ...(method === "GET" ? [] : [`  method: ${literal(method)},`]),
    "  headers: {",
    ...headers,
    "  },",
    ...(body === undefined ? [] : [`  body: ${bodyOf(body)},`]),
    "});",
    ...READING[answer],
  ];
  const imports = typeof body === "object" ? ['import { readFile } from "node:fs/promises";', ""] : [];
  return [...imports, ...lines].join("\n");
}

/** What is done with an answer. */
const READING: Record<NonNullable<Call["answer"]>, string[]> = {
  json: ["const { success, data, error } = await response.json();", "if (!success) throw new Error(`${error.code}: ${error.message}`);", "console.log(data);"],
  events: [
    "if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);",
    "for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);",
  ],
  file: ["if (!response.ok) throw new Error(`HTTP ${response.status}`);", "console.log(await response.text());"],
};

/** An object where JavaScript keeps it as it is, and otherwise the text itself: what is sent is what was typed. */
function bodyOf(body: NonNullable<Call["body"]>): string {
  if (typeof body === "object") return `await readFile(${literal(body.file)})`;
  if (!isJson(body) || !isExpression(body)) return literal(body);
  return `JSON.stringify(${laidOut(body).replaceAll("\n", "\n  ")})`;
}

/** A text as a literal that means it, in a file as in a script of a page. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("</", String.raw`<\/`);
}
