// What became of a text, word by word.

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** The most cells that are compared; longer texts are compared by what they begin and end with. */
const CELLS = 1_000_000;

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];
}

/** The pieces of a text before and after, in their order: without the added ones it is the text before, without the removed ones the text after. */
export function wordDiff(before: string, after: string): Piece[] {
  const [from, to] = [words(before), words(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const [was, is] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const middle: Piece[] = was.length * is.length > CELLS ? [piece("removed", was), piece("added", is)] : compared(was, is);
  return joined([piece("same", from.slice(0, start)), ...middle, piece("same", from.slice(from.length - end))]);
}

function piece(kind: Piece["kind"], parts: string[]): Piece {
  return { kind, text: parts.join("") };
}

/** The longest common run of words, by the usual table. */
function compared(from: string[], to: string[]): Piece[] {
  const width = to.length + 1;
  const table = new Uint32Array((from.length + 1) * width);
  const at = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row--) {
    for (let column = to.length - 1; column >= 0; column--) {
      table[row * width + column] = from[row] === to[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < from.length || column < to.length) {
    if (row < from.length && column < to.length && from[row] === to[column]) {
      pieces.push({ kind: "same", text: from[row++] ?? "" });
      column++;
    } else if (row < from.length && (column === to.length || at(row + 1, column) >= at(row, column + 1))) pieces.push({ kind: "removed", text: from[row++] ?? "" });
    else pieces.push({ kind: "added", text: to[column++] ?? "" });
  }
  return pieces;
}

function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.text === "") continue;
    if (last?.kind === piece.kind) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}
