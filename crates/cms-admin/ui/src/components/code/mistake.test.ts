import fc from "fast-check";
import { expect, it } from "vitest";

import { hasInexact } from "~/lib/exact";

import { inexactIn, mistakeIn } from "./mistake";

const place = (text: string) => {
  const { line, column } = mistakeIn(text) ?? {};
  return [line, column];
};

it("finds none in JSON", () => {
  for (const text of ["1", "null", '{"a": [1, "b"]}', " \n[]\n"]) expect(mistakeIn(text)).toBeUndefined();
});

it("names the line and the column of what is wrong", () => {
  expect(place('{"a": 1,\n "b": oops}')).toEqual([2, 7]);
  expect(place("[1, 2,]")).toEqual([1, 7]);
  expect(place("{a: 1}")).toEqual([1, 2]);
  expect(place('{"a" 1}')).toEqual([1, 6]);
  expect(place('{"a": 1,}')).toEqual([1, 9]);
  expect(place("[01]")).toEqual([1, 3]);
  expect(place("[] []")).toEqual([1, 4]);
});

it("says that something is missing at the end", () => {
  expect(place('{"a": [1')).toEqual([1, 9]);
  expect(place('{\n  "a": \n\n')).toEqual([2, 7]);
});

it("names no place behind the first mistake", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, n) => {
      const cut = n % text.length;
      // A character that is allowed nowhere outside of a string.
      const { at } = mistakeIn(`${text.slice(0, cut)}\u0001${text.slice(cut)}`) ?? { at: -1 };
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(cut);
    }),
  );
});

it.each([
  ["9007199254740992", "9007199254740992"],
  ['{"a": [1, -12345678901234567890]}', "-12345678901234567890"],
  ["[0.1, 0.12345678901234567890]", "0.12345678901234567890"],
  ["1e400", "1e400"],
  ["1e-400", "1e-400"],
])("finds a number that would become another one: %s", (text, literal) => {
  expect(inexactIn(text)?.literal).toBe(literal);
});

it("says where it is", () => {
  expect(inexactIn('{\n  "id": 12345678901234567890\n}')).toMatchObject({ at: 10, line: 2, column: 9 });
});

it("finds none where numbers stay what they are, however they are written", () => {
  for (const text of ["9007199254740991", "-0", "0.10", "1.50e2", "100e-2", "5e-324", "1E-7", '"12345678901234567890"', '{"12345678901234567890": 1}']) expect(inexactIn(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(inexactIn(text) !== undefined).toBe(hasInexact(JSON.parse(text)));
    }),
  );
});
