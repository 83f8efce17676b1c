// Where a text ceases to be JSON.

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

const BLANK = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = new RegExp(String.raw`${STRING.source}|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])`, "y");
const CLOSING = { "{": "}", "[": "]" };

/** Where a text that is no JSON ceases to be some. Browsers name the place in words of their own, and not always. */
function firstWrong(text: string): number {
  let at = 0;
  const pass = (what: RegExp): boolean => {
    what.lastIndex = at;
    const isThere = what.test(text);
    if (isThere) at = what.lastIndex;
    return isThere;
  };
  const open: ("{" | "[")[] = [];
  let wanted: "value" | "name" | "end" = "value";
  // Directly behind its beginning, an object or an array may end.
  let isFirst = false;
  for (;;) {
    pass(BLANK);
    const char = text[at] ?? "";
    const inside = open.at(-1);
    if (inside && (wanted === "end" || isFirst) && char === CLOSING[inside]) {
      at++;
      open.pop();
      wanted = "end";
    } else if (wanted === "end") {
      if (!inside || char !== ",") return at;
      at++;
      wanted = inside === "{" ? "name" : "value";
    } else if (wanted === "name") {
      if (!pass(STRING)) return at;
      pass(BLANK);
      if (text[at] !== ":") return at;
      at++;
      wanted = "value";
    } else if (char === "{" || char === "[") {
      at++;
      open.push(char);
      wanted = char === "{" ? "name" : "value";
      isFirst = true;
      continue;
    } else if (pass(SCALAR)) wanted = "end";
    else return at;
    isFirst = false;
  }
}
