import fc from "fast-check";
import { expect, it } from "vitest";

import { parseSearch, stringifySearch } from "~/lib/search";

import { arity, type Filter, type Operator } from "./model";
import { readFilters, writeFilters } from "./text";

const operators: Operator[] = ["is", "in", "contains", "begins", "atLeast", "atMost", "between", "empty"];
const text = fc.string({ unit: "grapheme", maxLength: 12 });
const filter = fc.constantFrom(...operators).chain((operator) =>
  fc.record({
    field: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    operator: fc.constant(operator),
    values: operator === "in" ? fc.array(text, { maxLength: 5 }) : fc.array(text, { minLength: arity(operator), maxLength: arity(operator) }),
  }),
);
const filters = fc.uniqueArray(filter, { selector: ({ field }) => field, maxLength: 6 });

it("any filters come back from an address as they were", () => {
  fc.assert(
    fc.property(filters, (filters: Filter[]) => {
      const { filter } = parseSearch(stringifySearch({ filter: writeFilters(filters) }));
      expect(readFilters(filter)).toEqual(filters);
    }),
    { numRuns: 500 },
  );
});

it("whatever somebody wrote into an address is read as filters or left out", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const read = readFilters(text);
      expect(readFilters(writeFilters(read))).toEqual(read);
    }),
    { numRuns: 500 },
  );
  for (const text of ["", "status", "status.is", "status.is.a.b", ".is.a", "status.like.a", "empty.empty.x"]) expect(readFilters(text)).toEqual([]);
});

it("of two filters on a field the first counts", () => {
  expect(readFilters("a.is.1*a.is.2*b.empty")).toEqual([
    { field: "a", operator: "is", values: ["1"] },
    { field: "b", operator: "empty", values: [] },
  ]);
});

it("an ordinary filter can be read in the address", () => {
  expect(stringifySearch({ filter: writeFilters([{ field: "status", operator: "is", values: ["draft"] }, { field: "price", operator: "between", values: ["10", "20"] }]) })).toBe(
    "?filter=status.is.draft*price.between.10.20",
  );
});
