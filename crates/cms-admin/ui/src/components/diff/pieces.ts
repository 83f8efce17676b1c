// What differs between two values of a field: words of texts, items of lists, lines of JSON.

import { diffArrays, diffLines } from "diff";

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Longer texts are compared by lines: by words they would hold up the page. */
const LONG = 20_000;

/** How long a comparison may take, in milliseconds. */
const TIMEOUT = 300;

/** What differs between two texts. One that cannot be compared in time is all removed, and the other all added. */
export function textPieces(before: string, after: string): Piece[] {
  if (before.length + after.length > LONG) return diffLines(before, after, { timeout: TIMEOUT })?.map(piece) ?? whole(before, after);
  const changes = diffArrays(words(before), words(after), { timeout: TIMEOUT });
  return changes?.map(({ value, added, removed }) => piece({ value: value.join(""), added, removed })) ?? whole(before, after);
}

/** The words of a text, with what stands between them. The library's own words are those of European scripts; where none are set apart, each sign is one. */
function words(text: string): string[] {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];
}

/** What differs between two values of JSON, by lines. Members stand in one order, whatever theirs was. */
export function jsonPieces(before: unknown, after: unknown): Piece[] {
  const [one, other] = [written(before), written(after)];
  return diffLines(one, other, { timeout: TIMEOUT })?.map(piece) ?? whole(one, other);
}

/** What differs between two lists of things that have names. */
export function listPieces(before: readonly string[], after: readonly string[]): Piece[] {
  const changes = diffArrays([...before], [...after], { timeout: TIMEOUT });
  if (!changes) return [...before.map((text): Piece => ({ kind: "removed", text })), ...after.map((text): Piece => ({ kind: "added", text }))];
  return changes.flatMap(({ value, added, removed }) => value.map((text) => piece({ value: text, added, removed })));
}

function piece({ value, added, removed }: { value: string; added: boolean; removed: boolean }): Piece {
  return { kind: added ? "added" : removed ? "removed" : "same", text: value };
}

function whole(before: string, after: string): Piece[] {
  const pieces: Piece[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return pieces.filter(({ text }) => text !== "");
}

function written(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, (_, part: unknown) => sorted(part), 2);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
