import fc from "fast-check";
import { expect, it } from "vitest";

import { CENTRE, moved, pointAt } from "./focal";

const picture = { left: 100, top: 50, width: 400, height: 200 };

it("is where the pointer is, and at the edge when the pointer is beyond", () => {
  expect(pointAt({ clientX: 200, clientY: 200 }, picture)).toEqual({ x: 0.25, y: 0.75 });
  expect(pointAt({ clientX: 0, clientY: 1000 }, picture)).toEqual({ x: 0, y: 1 });
  expect(pointAt({ clientX: 5, clientY: 5 }, { ...picture, width: 0 })).toEqual(CENTRE);
});

it("goes by arrows, further with Shift, and back to the middle", () => {
  expect(moved(CENTRE, "ArrowLeft", false)).toEqual({ x: 0.49, y: 0.5 });
  expect(moved(CENTRE, "ArrowDown", true)).toEqual({ x: 0.5, y: 0.6 });
  expect(moved({ x: 0.1, y: 0.9 }, "Home", false)).toEqual(CENTRE);
  expect(moved(CENTRE, "a", false)).toBeUndefined();
});

it("stays within the picture, whatever keys are pressed", () => {
  const key = fc.constantFrom("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown");
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean())), (keys) => {
      const { x, y } = keys.reduce((point, [key, isCoarse]) => moved(point, key, isCoarse) ?? point, CENTRE);
      for (const part of [x, y]) expect(part).toSatisfy((part: number) => part >= 0 && part <= 1 && Math.round(part * 100) / 100 === part);
    }),
  );
});
