import fc from "fast-check";
import { expect, it } from "vitest";

import { wordDiff } from "./wordDiff";

const without = (kind: "added" | "removed", pieces: ReturnType<typeof wordDiff>) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join("");

it("has the text before without what was added, and the text after without what was removed", () => {
  const texts = fc.array(fc.constantFrom("loom", "weft", " ", ",", "warp\n", "日本", "🧵"), { maxLength: 30 }).map((words) => words.join(""));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const pieces = wordDiff(before, after);
      expect(without("added", pieces)).toBe(before);
      expect(without("removed", pieces)).toBe(after);
    }),
  );
});

it("marks only the words that differ", () => {
  expect(wordDiff("the old loom", "the new loom")).toEqual([
    { kind: "same", text: "the " },
    { kind: "removed", text: "old" },
    { kind: "added", text: "new" },
    { kind: "same", text: " loom" },
  ]);
});

it("compares texts of a hundred thousand words in a moment", () => {
  const long = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(" ");
  const began = performance.now();
  expect(without("removed", wordDiff(long, long.replaceAll("7", "8")))).toBe(long.replaceAll("7", "8"));
  expect(performance.now() - began).toBeLessThan(2_000);
});
