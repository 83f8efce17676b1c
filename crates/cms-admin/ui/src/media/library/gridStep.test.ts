import { expect, it } from "vitest";

import { gridStep } from "./gridStep";

it("goes along lines and between them, and turns round where lines run from right to left", () => {
  expect(gridStep("ArrowRight", 4, 10, 4, false)).toBe(5);
  expect(gridStep("ArrowRight", 4, 10, 4, true)).toBe(3);
  expect(gridStep("ArrowDown", 1, 10, 4, false)).toBe(5);
  expect(gridStep("ArrowDown", 7, 10, 4, false)).toBe(9);
  expect(gridStep("ArrowUp", 2, 10, 4, false)).toBe(2);
  expect(gridStep("ArrowUp", 6, 10, 4, false)).toBe(2);
  expect(gridStep("End", 0, 10, 4, false)).toBe(9);
  expect(gridStep("j", 0, 10, 4, false)).toBeUndefined();
});
