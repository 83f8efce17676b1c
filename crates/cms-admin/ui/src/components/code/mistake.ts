// Where a text ceases to be JSON. Comes with the editor of code, whose parser knows it: browsers name the place in words of their own, and not always.

import { parser } from "@lezer/json";

export interface Mistake {
  /** In characters from the beginning. */
  at: number;
  /** Both count from one. */
  line: number;
  column: number;
  /** What the browser says of it, in English. */
  message: string;
}

/** The first mistake of a text; none where it is JSON. */
export function mistakeIn(text: string): Mistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    // What is missing at the end is missing behind what is there.
    const at = Math.min(firstWrong(text), text.trimEnd().length);
    const before = text.slice(0, at).split("\n");
    return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: error instanceof Error ? error.message : String(error) };
  }
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
