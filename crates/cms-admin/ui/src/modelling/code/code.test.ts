import { expect, it } from "vitest";

import type { ContentField } from "~/api/types";
import { snippets } from "~/explorer/snippets/snippets";

import { FIELD_TYPES } from "../fieldTypes";
import { ASKS, callOf } from "./requests";
import { sampleData, sampleOf } from "./samples";
import { typesOf } from "./types";

function field(type: string, more: Partial<ContentField> = {}): ContentField {
  return { slug: type.toLowerCase(), label: "Label", type, required: false, defaultValue: null, validation: {}, options: {}, ...more } as ContentField;
}

it("has a value for every type", () => {
  for (const { type } of FIELD_TYPES) expect(sampleOf(field(type)), type).toBeDefined();
});

it("keeps to the rules of a field", () => {
  expect(sampleOf(field("string", { validation: { maxLength: 3 } }))).toBe("Lab");
  expect(sampleOf(field("string", { validation: { minLength: 9 } }))).toBe("Label Label");
  expect(sampleOf(field("integer", { validation: { min: 99.5 } }))).toBe(100);
  expect(sampleOf(field("number", { validation: { max: -1 } }))).toBe(-1);
  expect(sampleOf(field("datetime", { validation: { minDate: "2040-01-01T00:00:00Z" } }))).toBe("2040-01-01T00:00:00Z");
  expect(sampleOf(field("select", { validation: { options: ["b", "a"] } }))).toBe("b");
  expect(sampleOf(field("multiSelect", { validation: { options: ["a", "b", "c"], minItems: 3 } }))).toEqual(["a", "b", "c"]);
  expect(sampleOf(field("image", { validation: { allowedMimeTypes: ["image/png"] } }))).toMatchObject({ mimeType: "image/png" });
  expect(sampleOf(field("reference", { options: { allowMultiple: true } }))).toHaveLength(2);
  expect(sampleOf(field("repeater", { validation: { minItems: 2, subFields: [{ slug: "size", label: "Size", type: "select", required: true, options: ["S"] }] } }))).toEqual([{ size: "S" }, { size: "S" }]);
  expect(sampleOf(field("string", { defaultValue: "as usual" }))).toBe("as usual");
});

it("sends what an entry must have, and some of what it may have", () => {
  const fields = [...Array.from({ length: 30 }, (_, n) => field("boolean", { slug: `b${n}` })), field("string", { slug: "__proto__", required: true })];
  const data = sampleData(fields);
  expect(Object.keys(data)).toHaveLength(13);
  expect(Object.hasOwn(data, "__proto__")).toBe(true);
});

it("writes every request in three ways, whatever a collection is called", () => {
  for (const ask of ASKS) {
    const { curl, typescript, mcp } = snippets(callOf(ask, { slug: "constructor", fields: [field("string", { slug: "title" })] }), { origin: "https://cms.example", prefix: "/_cms" });
    expect(curl, ask).toContain("https://cms.example/_cms/api/content/constructor");
    expect(typescript, ask).toContain("/content/constructor");
    expect(JSON.parse(mcp ?? "{}"), ask).toMatchObject({ params: { arguments: { collection: "constructor" } } });
  }
});

it("finds the types of one collection among all of them", () => {
  const text = [
    "/** The value of a file field. */\nexport interface FileValue {\n  id: string;\n}\n",
    "/** Builders */\nexport interface Constructor {\n  /** Rows */\n  rows?: {\n    _key?: string;\n  }[];\n}\n",
    "/** Posts */\nexport interface Post {\n  /** Title */\n  title: string;\n}\n",
    "/** The entries of each collection, by its slug. */\nexport interface Collections {\n  constructor: EntryOf<Constructor>;\n  posts: EntryOf<Post>;\n}\n",
  ].join("\n");
  expect(typesOf(text, "constructor")).toBe("/** Builders */\nexport interface Constructor {\n  /** Rows */\n  rows?: {\n    _key?: string;\n  }[];\n}\n");
  expect(typesOf(text, "posts")).toContain("title: string;\n}\n");
  expect(typesOf(text, "toString")).toBeUndefined();
});
