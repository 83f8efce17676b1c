import fc from "fast-check";
import { expect, it } from "vitest";

import { isExpression, laidOut, membersOf } from "./json";

it("lays JSON out as JavaScript does", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      expect(JSON.parse(laidOut(text))).toEqual(value);
      // A number is written in other ways than it is read: those that are are left to the next test.
      if (JSON.stringify(value) === text) expect(laidOut(text)).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

it("keeps numbers, members and escapes as they are written", () => {
  expect(laidOut('{"a":12345678901234567890,"a":1.10,"b":"\\u00e9\\"","__proto__":{}}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "a": 1.10,\n  "b": "\\u00e9\\"",\n  "__proto__": {}\n}',
  );
});

it("leaves what is not JSON as it is", () => {
  for (const text of ["", "{", "<p>", '{"a":}']) expect(laidOut(text)).toBe(text);
});

it("takes an object apart", () => {
  expect(membersOf(' {"a": [1, {"b": 2}], "c,}": 1e400, "d": {} } ')).toEqual([
    { key: '"a"', value: '[1,{"b":2}]' },
    { key: '"c,}"', value: "1e400" },
    { key: '"d"', value: "{}" },
  ]);
  expect(membersOf("{}")).toEqual([]);
  for (const text of ["[]", "1", "null", '"{}"', "{", ""]) expect(membersOf(text)).toBeUndefined();
});

it("puts the members of any object together again", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      const again = `{${(membersOf(text) ?? []).map((member) => `${member.key}:${member.value}`).join(",")}}`;
      expect(again).toBe(text);
    }),
  );
});

it("knows what JavaScript would read as something else", () => {
  for (const text of ["[9007199254740993]", '{"__proto__":1}', '[{"\\u005f_proto__":1}]', '{"a":1,"a":2}', "1e400", '{"a":{"b":1,"b":2}}']) expect(isExpression(text), text).toBe(false);
  for (const text of ["[1, -2.5, 1e3]", '{"a":{"a":1},"b":["a","a"]}', '"__proto__"', "[]", '[{"a":1},{"a":2}]']) expect(isExpression(text), text).toBe(true);
});

it("lays out a million characters before anybody notices", () => {
  const text = JSON.stringify({ text: 'x"\\'.repeat(300_000), items: Array.from({ length: 100_000 }, (_, n) => n) });
  const from = performance.now();
  expect(JSON.parse(laidOut(text))).toEqual(JSON.parse(text));
  expect(performance.now() - from).toBeLessThan(5_000);
});
