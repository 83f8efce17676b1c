import { expect, it } from "vitest";

import { fit } from "./device";
import { pathOf } from "./pathPattern";

it.each([
  ["full", { width: 447, height: 700 }, { width: 447, height: 700, scale: 1 }],
  ["phone", { width: 447, height: 700 }, { width: 390, height: 700, scale: 1 }],
  ["desktop", { width: 640, height: 700 }, { width: 1280, height: 1400, scale: 0.5 }],
  ["tablet", { width: 0, height: 0 }, { width: 820, height: 0, scale: 1 }],
] as const)("draws a page as wide as %s in %j", (device, room, drawn) => {
  expect(fit(device, room)).toEqual(drawn);
});

it("asks for a path in characters that paths have", () => {
  expect(pathOf("/{locale}/größe/{slug}")).toBe("/{locale}/gr%C3%B6%C3%9Fe/{slug}");
  expect(pathOf("/a%20b/{id}")).toBe("/a%20b/{id}");
});
