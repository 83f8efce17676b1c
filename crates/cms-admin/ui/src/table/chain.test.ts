import fc from "fast-check";
import { expect, it } from "vitest";

import { known, linked, placeOf, START, type Chain } from "./chain";

/** The chain after pages of some sizes have come, one after the other. */
function read(sizes: number[]): Chain {
  return sizes.reduce<Chain>((chain, size, page) => linked(chain, page, size, page + 1 < sizes.length ? `c${page + 1}` : undefined), START);
}

const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 });

it("finds each row where its page has it", () => {
  fc.assert(
    fc.property(sizes, (sizes) => {
      const chain = read(sizes);
      const places = sizes.flatMap((size, page) => Array.from({ length: size }, (_, at) => ({ page, at })));
      expect(known(chain)).toBe(places.length);
      expect(places.map((_, row) => placeOf(chain, row))).toEqual(places);
    }),
  );
});

it("stays the same when a page comes again as it was", () => {
  fc.assert(
    fc.property(sizes, fc.nat(), (sizes, n) => {
      const chain = read(sizes);
      const page = n % sizes.length;
      expect(linked(chain, page, sizes[page] ?? 0, chain[page + 1]?.cursor)).toBe(chain);
    }),
  );
});

it("looks for the rows behind the last page there", () => {
  const chain = linked(START, 0, 3, "b");
  expect(placeOf(chain, 3)).toEqual({ page: 1, at: 0 });
  expect(placeOf(chain, 90).page).toBe(1);
  expect(placeOf(linked(START, 0, 3, undefined), 90).page).toBe(0);
});

it("keeps what is behind a page that begins elsewhere now, since the window is scrolled to it", () => {
  const chain = linked(read([10, 10, 10]), 0, 10, "other");
  expect(chain.map(({ cursor }) => cursor)).toEqual([undefined, "other", "c2"]);
  expect(known(chain)).toBe(30);
});

it("forgets what is behind a page that has become the last", () => {
  expect(linked(read([10, 10, 10]), 1, 4, undefined)).toEqual([{ cursor: undefined, size: 10 }, { cursor: "c1", size: 4 }]);
});

it("leaves out a page that is not known any more", () => {
  const chain = read([10]);
  expect(linked(chain, 5, 10, "x")).toBe(chain);
});
