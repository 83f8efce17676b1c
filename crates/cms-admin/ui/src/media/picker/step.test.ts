import { expect, it } from "vitest";

import { step } from "./step";

const grid = { count: 11, columns: 4, isRtl: false, page: 2 };

it("leads to the item beside and below, and no further than there is something", () => {
  expect(step("ArrowRight", 0, grid)).toBe(1);
  expect(step("ArrowRight", 10, grid)).toBe(10);
  expect(step("ArrowLeft", 0, grid)).toBe(0);
  expect(step("ArrowDown", 1, grid)).toBe(5);
  expect(step("ArrowDown", 7, grid)).toBe(10);
  expect(step("ArrowDown", 9, grid)).toBe(9);
  expect(step("ArrowUp", 2, grid)).toBe(2);
});

it("leads by screens, and to both ends", () => {
  expect(step("PageDown", 1, grid)).toBe(9);
  expect(step("PageDown", 6, grid)).toBe(10);
  expect(step("PageUp", 6, grid)).toBe(2);
  expect(step("Home", 6, grid)).toBe(0);
  expect(step("End", 0, grid)).toBe(10);
});

it("goes the other way where one reads from right to left", () => {
  expect(step("ArrowLeft", 0, { ...grid, isRtl: true })).toBe(1);
  expect(step("ArrowRight", 1, { ...grid, isRtl: true })).toBe(0);
});

it("begins with the first, and says nothing of other keys", () => {
  expect(step("ArrowDown", -1, grid)).toBe(0);
  expect(step("a", 3, grid)).toBeUndefined();
  expect(step("ArrowDown", -1, { ...grid, count: 0 })).toBeUndefined();
});
