// What is wrong with a text of JSON, and where. Comes with the editor of code, whose parser knows it: browsers name the place in words of their own, and not
// always.

import { parser } from "@lezer/json";

import { isKept } from "~/lib/exact";

interface Place {
  /** In characters from the beginning. */
  at: number;
  /** Both count from one. */
  line: number;
  column: number;
}

export interface Mistake extends Place {
  /** What the browser says of it, in English. */
  message: string;
}

/** A number that would be another one once it is read. */
export interface Inexact extends Place {
  literal: string;
}

/** The first mistake of a text; none where it is JSON. */
export function mistakeIn(text: string): Mistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // What is missing at the end is missing behind what is there.
    const at = Math.min(firstWrong(text), text.trimEnd().length);
    return { ...placeOf(text, at), message: error instanceof Error ? error.message : String(error) };
  }
}

/** The first number in a text of JSON that JavaScript cannot keep as it is written. */
export function inexactIn(text: string): Inexact | undefined {
  let found: Inexact | undefined;
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (found || name !== "Number") return;
      const literal = text.slice(from, to);
      if (!isKept(literal)) found = { ...placeOf(text, from), literal };
    },
  });
  return found;
}

function placeOf(text: string, at: number): Place {
  const before = text.slice(0, at).split("\n");
  return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where the parser does not know what to make of a text, and what stands there begins. */
function firstWrong(text: string): number {
  let at = text.length;
  parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at = Math.min(at, from);
    },
  });
  return text.length - text.slice(at).trimStart().length;
}
