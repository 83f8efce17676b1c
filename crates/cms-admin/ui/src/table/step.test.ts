import { expect, it } from "vitest";

import { stepOf } from "./step";

it("leads from row to row, and no further than the first and the last", () => {
  expect(["ArrowDown", "ArrowUp", "j", "K", "PageDown", "PageUp", "Home", "End"].map((key) => stepOf(key, 1, 5, true))).toEqual([2, 0, 2, 0, 4, 0, 0, 4]);
  expect(stepOf("ArrowDown", 4, 5, true)).toBe(4);
});

it("takes letters for letters when shortcuts are off", () => {
  expect([stepOf("j", 1, 5, false), stepOf("k", 1, 5, false), stepOf("ArrowDown", 1, 5, false)]).toEqual([undefined, undefined, 2]);
});

it("leaves all other keys alone", () => {
  expect(["Tab", "Enter", "a", " "].map((key) => stepOf(key, 1, 5, true))).toEqual([undefined, undefined, undefined, undefined]);
});
