// Values as what became of others. What is the same object in both is only named: of a long text in which a word was written, that leaves a block.

import type { Values } from "./merge";

/** A value that is as it was, one that is another, or a list of items and of stretches that were there. */
type Part = "same" | { value: unknown } | { pieces: Piece[] };
type Piece = { item: unknown } | { from: number; to: number };

export type Difference = Record<string, Part>;

export function differenceOf(values: Values, base: Values): Difference {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, partOf(value, base[name])]));
}

export function applied(difference: Difference, base: Values): Values {
  return Object.fromEntries(Object.entries(difference).map(([name, part]) => [name, valueOf(part, base[name])]));
}

function partOf(value: unknown, base: unknown): Part {
  if (value === base) return "same";
  return Array.isArray(value) && Array.isArray(base) ? { pieces: piecesOf(value, base) } : { value };
}

function valueOf(part: Part, base: unknown): unknown {
  if (part === "same") return base;
  if ("value" in part) return part.value;
  return part.pieces.flatMap((piece) => ("item" in piece ? [piece.item] : (base as unknown[]).slice(piece.from, piece.to)));
}

function piecesOf(list: unknown[], base: unknown[]): Piece[] {
  const places = new Map(base.map((item, n) => [item, n]));
  const pieces: Piece[] = [];
  for (const item of list) {
    const at = places.get(item);
    const last = pieces.at(-1);
    if (at === undefined) pieces.push({ item });
    else if (last && "to" in last && last.to === at) last.to += 1;
    else pieces.push({ from: at, to: at + 1 });
  }
  return pieces;
}
