import fc from "fast-check";
import { expect, it } from "vitest";

import { fitted, nextIn, opening, seen, showing, touches, zoomed } from "./view";

const WINDOW = { width: 1000, height: 600 };

it("shows all of a map in the middle, and small ones no larger than they are", () => {
  expect(fitted(WINDOW, { width: 240, height: 100 })).toEqual({ scale: 1, x: 380, y: 250 });
  const { scale, x } = fitted(WINDOW, { width: 9120, height: 100 });
  expect([scale, x]).toEqual([0.1, 44]);
});

it("opens a large map at its beginning, where people read from", () => {
  const whole = { width: 10_000, height: 10_000 };
  expect(opening(WINDOW, whole, false)).toEqual({ scale: 0.5, x: 44, y: 44 });
  expect(opening(WINDOW, whole, true)).toEqual({ scale: 0.5, x: 1000 - 5000 - 44, y: 44 });
});

it("keeps what is under the pointer there while it grows", () => {
  fc.assert(
    fc.property(fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }), scale: fc.constantFrom(0.1, 0.5, 1) }), fc.constantFrom(0.5, 1.25, 9), (view, factor) => {
      const at = { x: 300, y: 200 };
      const after = zoomed(view, factor, at);
      expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - view.x) / view.scale, 6);
      expect(after.scale).toBeLessThanOrEqual(2);
    }),
  );
});

it("moves only as far as it takes to see a box", () => {
  const view = { x: 0, y: 0, scale: 1 };
  expect(showing(view, WINDOW, { x: 100, y: 100, width: 240, height: 100 })).toEqual(view);
  expect(showing(view, WINDOW, { x: 900, y: 100, width: 240, height: 100 })).toEqual({ x: -152, y: 0, scale: 1 });
  expect(showing(view, WINDOW, { x: -50, y: -50, width: 240, height: 100 })).toEqual({ x: 62, y: 62, scale: 1 });
});

it("goes to the box that is ahead rather than to one aside", () => {
  const places = [{ x: 0, y: 0 }, { x: 300, y: 200 }, { x: 600, y: 0 }, { x: 0, y: 200 }];
  expect(nextIn(places, 0, "right")).toBe(2);
  expect(nextIn(places, 0, "down")).toBe(3);
  expect(nextIn(places, 2, "left")).toBe(0);
  expect(nextIn(places, 0, "up")).toBeUndefined();
  expect(nextIn([], 0, "up")).toBeUndefined();
});

it("draws what is seen and a little around it", () => {
  const part = seen({ x: 0, y: 0, scale: 1 }, WINDOW);
  expect(touches(part, { x: 1200, y: 0, width: 240, height: 100 })).toBe(true);
  expect(touches(part, { x: 3000, y: 0, width: 240, height: 100 })).toBe(false);
});
