// JSON as text: it is laid out and taken apart without being read, so that numbers that JavaScript cannot keep stay as they are written.

import { isKept } from "~/lib/exact";

/** A member of an object, as it is written. */
interface Member {
  /** With its quotes. */
  key: string;
  value: string;
}

/** Whether a text is JSON. What it means is not kept. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The pieces of a text that is JSON: strings, numbers, words and signs, without the spaces between them. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const from = at;
    const sign = text.charAt(at++);
    if (/\s/.test(sign)) continue;
    if (sign === '"') {
      while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
      at++;
    } else if (!"{}[]:,".includes(sign)) {
      while (at < text.length && /[^\s{}[\]:,"]/.test(text.charAt(at))) at++;
    }
    yield text.slice(from, at);
  }
}

/** A text laid out with a member or an item a line; as it is where it is not JSON. */
export function laidOut(text: string, indent = "  "): string {
  if (!isJson(text)) return text;
  const written: string[] = [];
  let depth = 0;
  let before = "";
  const line = () => written.push("\n", indent.repeat(depth));
  for (const piece of piecesOf(text)) {
    const closes = piece === "}" || piece === "]";
    if (closes) depth--;
    const opened = before === "{" || before === "[";
    if (before === "," || (opened ? !closes : closes)) line();
    written.push(piece === ":" ? ": " : piece);
    if (piece === "{" || piece === "[") depth++;
    before = piece;
  }
  return written.join("");
}

/** The members of a text that is an object; nothing where it is anything else. */
export function membersOf(text: string): Member[] | undefined {
  if (!isJson(text) || !text.trimStart().startsWith("{")) return undefined;
  const members: Member[] = [];
  let depth = 0;
  let key: string | undefined;
  let value: string[] = [];
  const close = () => {
    if (key !== undefined) members.push({ key, value: value.join("") });
    [key, value] = [undefined, []];
  };
  for (const piece of piecesOf(text)) {
    if (piece === "}" || piece === "]") depth--;
    if (depth === 0 || (depth === 1 && piece === "," )) close();
    else if (depth === 1 && key === undefined) key = piece;
    else if (depth > 1 || piece !== ":") value.push(piece);
    if (piece === "{" || piece === "[") depth++;
  }
  return members;
}

/** Whether a text that is JSON means the same as an expression of JavaScript: no number changes, and no member is the prototype or there twice. */
export function isExpression(text: string): boolean {
  const keys: Set<string>[] = [];
  let before = "";
  for (const piece of piecesOf(text)) {
    if (/^[-\d]/.test(piece) && !isKept(piece)) return false;
    if (piece === "{" || piece === "[") keys.push(new Set());
    if (piece === "}" || piece === "]") keys.pop();
    if (piece === ":") {
      const key = JSON.parse(before) as string;
      const known = keys.at(-1);
      if (key === "__proto__" || known?.has(key)) return false;
      known?.add(key);
    }
    before = piece;
  }
  return true;
}
