import fc from "fast-check";
import { expect, it } from "vitest";

import { arrange, type Arranged, type Edge, type Size } from "./layout";

const SIZE = { width: 240, height: 80 };

function isApart({ places }: Arranged, sizes: Size[]): boolean {
  return places.every((a, n) =>
    places.every((b, m) => {
      const [one, other] = [sizes[n], sizes[m]];
      if (n >= m || !one || !other) return true;
      return a.x + one.width <= b.x + 0.01 || b.x + other.width <= a.x + 0.01 || a.y + one.height <= b.y + 0.01 || b.y + other.height <= a.y + 0.01;
    }),
  );
}

it("puts what is referred to behind what refers to it", () => {
  const { places, width, height } = arrange({ sizes: [SIZE, SIZE], edges: [{ from: 0, to: 1 }], isPlain: false });
  expect(places[1]?.x).toBeGreaterThan((places[0]?.x ?? 0) + SIZE.width);
  expect([width, height]).toEqual([SIZE.width * 2 + 96, SIZE.height]);
});

it("keeps boxes apart and within the whole, whatever refers to what", () => {
  const models = fc.integer({ min: 0, max: 14 }).chain((count) =>
    fc.record({
      sizes: fc.array(fc.record({ width: fc.constant(240), height: fc.integer({ min: 44, max: 200 }) }), { minLength: count, maxLength: count }),
      edges: count === 0 ? fc.constant<Edge[]>([]) : fc.array(fc.record({ from: fc.nat(count - 1), to: fc.nat(count - 1) }), { maxLength: 24 }),
      isPlain: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(models, (asked) => {
      const arranged = arrange(asked);
      expect(arranged.places).toHaveLength(asked.sizes.length);
      expect(arranged.bends).toHaveLength(asked.edges.length);
      expect(isApart(arranged, asked.sizes)).toBe(true);
      arranged.places.forEach(({ x, y }, n) => {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-0.01);
        expect(x + (asked.sizes[n]?.width ?? 0)).toBeLessThanOrEqual(arranged.width + 0.01);
        expect(y + (asked.sizes[n]?.height ?? 0)).toBeLessThanOrEqual(arranged.height + 0.01);
      });
    }),
    { numRuns: 200 },
  );
});

it("breaks the column of what hundreds refer to, so that the whole is no tower", () => {
  const sizes = Array.from({ length: 301 }, () => SIZE);
  const arranged = arrange({ sizes, edges: sizes.slice(1).map((_, n) => ({ from: n + 1, to: 0 })), isPlain: false });
  expect(arranged.height).toBeLessThan(arranged.width * 2);
  expect(isApart(arranged, sizes)).toBe(true);
});

it("takes a thousand collections that nothing connects at once", () => {
  const sizes = Array.from({ length: 1000 }, () => SIZE);
  const { width, height } = arrange({ sizes, edges: [], isPlain: false });
  expect(width / height).toBeGreaterThan(1);
  expect(width / height).toBeLessThan(3);
});
