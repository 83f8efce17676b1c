// What a tool said, taken out of the envelope of the protocol without reading its numbers.

import { membersOf } from "../snippets/json";

/** What a tool said: what it gives to programs, else its text; and whether it failed. Nothing where the answer is none of a tool. */
export function saidBy(answer: string): { text: string; isError: boolean } | undefined {
  const result = valueOf(answer, "result");
  if (result === undefined) return undefined;
  const isError = valueOf(result, "isError") === "true";
  const structured = valueOf(result, "structuredContent");
  if (structured !== undefined && structured !== "null") return { text: structured, isError };
  const content = valueOf(result, "content");
  const texts = content === undefined ? [] : (JSON.parse(content) as { type: string; text?: string }[]).flatMap(({ text }) => (text === undefined ? [] : [text]));
  return { text: texts.join("\n\n"), isError };
}

/** A member of an object as it is written. */
function valueOf(text: string, name: string): string | undefined {
  return membersOf(text)?.find(({ key }) => key === JSON.stringify(name))?.value;
}
