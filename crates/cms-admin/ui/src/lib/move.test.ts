import fc from "fast-check";
import { expect, it } from "vitest";

import { moved, placeOf } from "./move";

it("moves one item and leaves the order of all others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), fc.nat(), (items, a, b) => {
      const [from, to] = [a % items.length, b % items.length];
      const after = moved(items, from, to);
      expect(after[to]).toBe(items[from]);
      expect(after.filter((item) => item !== items[from])).toEqual(items.filter((item) => item !== items[from]));
    }),
  );
});

it("moves an item that is empty", () => {
  expect(moved(["a", "", "b"], 1, 2)).toEqual(["a", "b", ""]);
});

it("leaves a list alone when there is nothing at the place", () => {
  expect(moved(["a", "b"], 5, 0)).toEqual(["a", "b"]);
});

it("puts what is dropped on another item right before or behind it", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), fc.nat(), fc.nat(), fc.boolean(), (items, a, b, isBehind) => {
      const [from, over] = [a % items.length, b % items.length];
      fc.pre(from !== over);
      const after = moved(items, from, placeOf(from, over, isBehind));
      const at = after.indexOf(items[over] ?? "");
      expect(after[at + (isBehind ? 1 : -1)]).toBe(items[from]);
    }),
  );
});
