import fc from "fast-check";
import { expect, it } from "vitest";

import { jsonPieces, listPieces, textPieces, type Piece } from "./pieces";

const side = (pieces: Piece[], without: Piece["kind"]) => pieces.filter(({ kind }) => kind !== without).map(({ text }) => text);
const words = fc.array(fc.constantFrom("a", "bb", " ", "\n", "ccc", "قائمة", "."), { maxLength: 30 }).map((parts) => parts.join(""));

it("has both texts in it, word for word", () => {
  fc.assert(
    fc.property(fc.oneof(words, fc.string()), fc.oneof(words, fc.string()), (before, after) => {
      const pieces = textPieces(before, after);
      expect(side(pieces, "added").join("")).toBe(before);
      expect(side(pieces, "removed").join("")).toBe(after);
    }),
  );
});

it("has both lists in it, item for item", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "c", "")), fc.array(fc.constantFrom("a", "b", "c", "")), (before, after) => {
      const pieces = listPieces(before, after);
      expect(side(pieces, "added")).toEqual(before);
      expect(side(pieces, "removed")).toEqual(after);
    }),
  );
});

it("marks the words that differ, and no others", () => {
  expect(textPieces("a red house", "a blue house")).toEqual([
    { kind: "same", text: "a " },
    { kind: "removed", text: "red" },
    { kind: "added", text: "blue" },
    { kind: "same", text: " house" },
  ]);
});

it("takes words of any script as a whole", () => {
  expect(textPieces("المقالات القديمة", "المقالات الجديدة").map(({ text }) => text)).toEqual(["المقالات ", "القديمة", "الجديدة"]);
});

it("finds no difference in the order of members", () => {
  expect(jsonPieces({ a: 1, b: [2] }, { b: [2], a: 1 }).every(({ kind }) => kind === "same")).toBe(true);
  expect(jsonPieces({ a: 1 }, { a: 2 }).some(({ kind }) => kind === "added")).toBe(true);
});

it("compares a million characters without holding up the page", () => {
  const start = performance.now();
  const [before, after] = ["a", "b"].map((letter) => Array.from({ length: 100_000 }, (_, n) => `${letter}${n}`).join("\n"));
  textPieces(before ?? "", after ?? "");
  textPieces("x".repeat(1_000_000), "y".repeat(1_000_000));
  expect(performance.now() - start).toBeLessThan(20_000);
});
