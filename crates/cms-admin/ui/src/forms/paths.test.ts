import fc from "fast-check";
import { expect, it } from "vitest";

import { at, changes, normal, touches, withAt } from "./paths";

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.constant(null), fc.array(tie("value"), { maxLength: 4 }), fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true })),
}));
const map = fc.dictionary(name, value, { noNullPrototype: true });

it("makes one value of the other by the changes between them", () => {
  fc.assert(
    fc.property(map, map, (before, after) => {
      const made = changes(before, after).reduce((values, [path, value]) => withAt(values, path, value), before);
      // What is not there any more is undefined, as it is in forms.
      expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(after)));
    }),
  );
});

it("finds no change between values that are the same", () => {
  fc.assert(fc.property(map, (values) => changes(values, structuredClone(values)).length === 0));
});

it("goes into what is alike, and takes a list of another length for another list", () => {
  expect(changes({ a: { b: 1, c: [1, 2] } }, { a: { b: 2, c: [1, 3] } })).toEqual([
    ["a.b", 2],
    ["a.c.1", 3],
  ]);
  expect(changes({ a: [1, 2] }, { a: [1] })).toEqual([["a", [1]]]);
});

it("reads the paths of the server", () => {
  expect(normal("items[2].title")).toBe("items.2.title");
  expect(normal("[0].a")).toBe("0.a");
  expect(at({ items: [{}, {}, { title: "x" }] }, "items.2.title")).toBe("x");
  expect(at({ items: null }, "items.2.title")).toBeUndefined();
});

it("knows what lies in what", () => {
  expect(touches("a.b", "a")).toBe(true);
  expect(touches("a", "a.b")).toBe(true);
  expect(touches("ab", "a")).toBe(false);
});
