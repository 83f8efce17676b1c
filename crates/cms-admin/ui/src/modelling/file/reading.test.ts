import { expect, it } from "vitest";

import { Reading } from "./reading";

const MODEL = `{
  "collections": [
    {
      "slug": "constructor",
      "label": "Builders",
      "fields": [
        { "slug": "__proto__", "label": "P", "type": "string", "options": { "a.b": { "c": 12345678901234567890 } } },
        { "slug": "toString", "type": "number" }
      ]
    },
    { "slug": "posts" }
  ],
  "version": "abc"
}
`;

it("tells what collections a model has, and keeps its text as it is written", () => {
  const { model, problem } = new Reading(MODEL);
  expect(problem).toBeUndefined();
  expect(model?.outline).toEqual([
    { slug: "constructor", label: "Builders", fields: [{ slug: "__proto__", label: "P", type: "string" }, { slug: "toString", label: "toString", type: "number" }] },
    { slug: "posts", label: "posts", fields: [] },
  ]);
  expect(model?.collections).toContain("12345678901234567890");
});

it("takes an answer of the API as well", () => {
  expect(new Reading(`{"success":true,"data":{"collections":[{"slug":"a"}],"version":"1"}}`).model?.outline).toHaveLength(1);
});

it("finds the lines of what the server complains of", () => {
  const reading = new Reading(MODEL);
  const lines = ["collections", "collections.0.label", "collections.0.fields.1.type", "collections.0.fields.0.options.a.b.c", "collections.0.fields.1.nothing.at.all", "collections.1.label", "renames.a"];
  expect(lines.map((path) => reading.lineOf(path))).toEqual([2, 5, 8, 7, 8, 11, undefined]);
});

it("says where a text ceases to be JSON", () => {
  const problem = (text: string) => new Reading(text).problem;
  expect(problem("")).toEqual({ kind: "empty" });
  expect(problem(' \n{"collections": [\n  { "slug": "a", }\n]}')).toMatchObject({ kind: "syntax", line: 3 });
  expect(problem('{\n"collections": [')).toMatchObject({ kind: "syntax", line: 2, column: 17 });
  expect(problem("PNG\u0000")).toMatchObject({ kind: "syntax", line: 1, column: 1 });
});

it("refuses what is JSON and no model", () => {
  const problem = (text: string) => new Reading(text).problem;
  for (const text of ["[]", "{}", "1", '{"collections": {}}', '{"data": []}']) expect(problem(text), text).toEqual({ kind: "noModel" });
  expect(problem('{"collections": [],\n\n "renames": {}}')).toEqual({ kind: "unknown", line: 3, key: "renames" });
  expect(problem('{"collections": [{"slug": "a",\n"slug": "b"}]}')).toEqual({ kind: "twice", line: 2, key: "slug" });
  expect(problem('{"collections": [{"a": {"x": 1}, "b": {"x": 1}}]}')).toBeUndefined();
});

it("reads collections that are wrong in any way", () => {
  expect(new Reading('{"collections": [null, 1, "a", {"slug": 5, "fields": [null, {"slug": {}}]}]}').model?.outline).toHaveLength(4);
});

it("reads ten megabytes in a moment", () => {
  const fields = Array.from({ length: 200 }, (_, n) => ({ slug: `field_${n}`, label: "x".repeat(60), type: "string", required: false, options: {} }));
  const text = JSON.stringify({ collections: Array.from({ length: 450 }, (_, n) => ({ slug: `c${n}`, label: "C", fields })) }, null, 1);
  expect(text.length).toBeGreaterThan(10_000_000);
  const began = performance.now();
  const reading = new Reading(text);
  expect(reading.model?.outline).toHaveLength(450);
  expect(reading.lineOf("collections.449.fields.199.type")).toBeGreaterThan(400_000);
  expect(performance.now() - began).toBeLessThan(30_000);
});
