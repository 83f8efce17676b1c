import fc from "fast-check";
import { expect, it } from "vitest";

import { applied, differenceOf } from "./difference";

const values = fc.dictionary(fc.constantFrom("title", "body", "rows"), fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.array(fc.jsonValue({ maxDepth: 1 }))));

it("gives back the values that it was made of", () => {
  fc.assert(
    fc.property(values, values, (base, other) => {
      // Some items are the same objects as before, in any order.
      const mixed = Object.fromEntries(Object.entries(other).map(([name, value]) => [name, Array.isArray(value) ? [...value, ...[base[name]].flat(1).reverse()] : value]));
      for (const values of [other, mixed, { ...base, ...other }, base]) expect(applied(structuredClone(differenceOf(values, base)), structuredClone(base))).toEqual(values);
    }),
  );
});

it("is little where little of a long text is another", () => {
  const body = Array.from({ length: 3_000 }, (_, n) => ({ _key: `b${n}`, text: "The engine weaves. ".repeat(20) }));
  const written = body.with(1_500, { _key: "b1500", text: "The loom." });
  written.splice(100, 1);
  expect(JSON.stringify(differenceOf({ title: "On looms", body: written }, { title: "On looms", body })).length).toBeLessThan(200);
});
