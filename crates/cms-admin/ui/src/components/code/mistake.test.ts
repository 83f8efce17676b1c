import fc from "fast-check";
import { expect, it } from "vitest";

import { mistakeIn } from "./mistake";

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
