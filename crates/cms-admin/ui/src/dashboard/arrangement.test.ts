import { expect, it } from "vitest";

import { inOrder, readArrangement } from "./arrangement";

it("keeps the usual order where nothing was chosen", () => {
  expect(inOrder(["a", "b", "c"], [])).toEqual(["a", "b", "c"]);
});

it("puts cards where somebody put them, and forgets those that are gone", () => {
  expect(inOrder(["a", "b", "c"], ["c", "gone", "a", "b"])).toEqual(["c", "a", "b"]);
});

it("puts a new card behind the one that it usually stands behind", () => {
  expect(inOrder(["a", "new", "b", "c"], ["c", "a", "b"])).toEqual(["c", "a", "new", "b"]);
  expect(inOrder(["new", "a", "b"], ["b", "a"])).toEqual(["new", "b", "a"]);
});

it("takes what it cannot read for nothing", () => {
  const usual = { order: [], hidden: [], areStepsOver: false };
  for (const text of [undefined, "", "no", "null", "[]", '{"order":1,"hidden":{"a":1}}']) expect(readArrangement(text)).toEqual(usual);
  expect(readArrangement('{"order":["a","a",3],"hidden":["constructor"],"areStepsOver":true}')).toEqual({ order: ["a"], hidden: ["constructor"], areStepsOver: true });
});
