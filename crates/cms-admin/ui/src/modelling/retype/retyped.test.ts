import { describe, expect, it } from "vitest";

import type { Collection, ContentField } from "~/api/types";

import { FIELD_TYPES, type FieldType } from "../fieldTypes";
import { formOf, isComplete, losesNames, lostBy, obstacles, rebased, retypeBody, retyped, undoBody } from "./retyped";

const BARE = { id: "f", slug: "it", label: "It", required: false, unique: false, indexed: false, searchable: false, translatable: true, defaultValue: null, validation: null, options: null, formerTypes: [] };
const field = (type: FieldType, rest: object = {}) => ({ ...BARE, type, ...rest }) as unknown as ContentField;
const collection = (rest: object = {}) => ({ slug: "posts", titleField: null, dateField: null, admin: null, indexes: [], fields: [], ...rest }) as unknown as Collection;
const one = (type: FieldType) => ({ type, allowMultiple: false });

const LINE = field("string", { unique: true, indexed: true, searchable: true, required: true, defaultValue: "x", validation: { maxLength: 5 }, options: { placeholder: "p", help: "h", of_a_plugin: 1 } });

describe("a change of type", () => {
  it("sends the type with all that goes with it, and nothing else", () => {
    expect(retypeBody(LINE, retyped(LINE, one("integer")), [])).toEqual({ type: "integer", searchable: false, defaultValue: null, validation: null });
    expect(retypeBody(LINE, retyped(LINE, one("json")), [])).toEqual({
      type: "json", unique: false, indexed: false, searchable: false, defaultValue: null, validation: null, options: { help: "h", of_a_plugin: 1 },
    });
  });

  it("of one reference to several is one of its options", () => {
    const before = field("reference", { options: { collection: "authors" }, validation: null });
    const draft = retyped(before, { type: "reference", allowMultiple: true });
    expect(retypeBody(before, draft, [])).toEqual({ type: "reference", options: { collection: "authors", allowMultiple: true } });
    expect(isComplete(draft)).toBe(true);
  });

  it("says what goes", () => {
    expect(lostBy(LINE, retyped(LINE, one("integer")), [])).toEqual({ rules: ["maxLength"], traits: ["searchable"], options: [], hasDefault: true });
    expect(lostBy(LINE, retyped(LINE, one("json")), [])).toEqual({ rules: ["maxLength"], traits: ["unique", "indexed", "searchable"], options: ["placeholder"], hasDefault: true });
    const list = field("reference", { options: { allowMultiple: true }, validation: { maxItems: 3 } });
    expect(lostBy(list, retyped(list, one("reference")), []).rules).toEqual(["maxItems"]);
  });

  it.each(FIELD_TYPES.map(({ type }) => type))("loses nothing of a field that has nothing: to %s", (type) => {
    expect(lostBy(field("string"), retyped(field("string"), one(type)), [])).toEqual({ rules: [], traits: [], options: [], hasDefault: false });
  });

  it("waits for what a type cannot be without", () => {
    const rows = retyped(LINE, one("repeater"));
    expect(isComplete(rows)).toBe(false);
    const [row] = rows.validation.subFields;
    if (!row) throw new Error("a list of rows begins with a field");
    const named = (...slugs: string[]) => ({ ...rows, validation: { ...rows.validation, subFields: slugs.map((slug) => ({ ...row, slug, label: "L" })) } });
    expect(isComplete(named("constructor", "__proto__"))).toBe(true);
    expect(isComplete(named("a", "a"))).toBe(false);
    expect(isComplete(retyped(LINE, one("reference")))).toBe(false);
  });

  it("goes on over what the field is by now", () => {
    const draft = retyped(LINE, one("reference"));
    draft.options.collection = "authors";
    const now = field("text", { label: "Renamed", slug: "renamed", options: { help: "other" } });
    expect(rebased(draft, now)).toMatchObject({ type: "reference", label: "Renamed", slug: "renamed", options: { help: "other", collection: "authors" } });
  });
});

describe("an undo", () => {
  it("brings back the type with its rules, its options and its default value, and touches nothing else", () => {
    const after = field("integer", { unique: true, indexed: true, required: true, label: "Renamed since", options: LINE.options });
    expect(undoBody(LINE, after)).toEqual({ type: "string", defaultValue: "x", validation: { maxLength: 5 }, searchable: true });
  });

  it("clears what the change put there", () => {
    const after = field("repeater", { validation: { subFields: [] }, options: { collection: "c" } });
    expect(undoBody(field("json"), after)).toEqual({ type: "json", validation: null, options: null });
  });
});

describe("what a field is for its collection", () => {
  const fields = [field("string", { slug: "title" }), field("datetime", { slug: "at" })];

  it("is in the way of a type that cannot be that", () => {
    const of = collection({ titleField: "it", admin: { listColumns: ["it"] }, indexes: [{ fields: ["it", "createdAt"] }] });
    expect(obstacles(of, "it", one("json"))).toEqual(["titleField", "listColumns", "indexes"]);
    expect(obstacles(of, "it", one("slug"))).toEqual([]);
    expect(obstacles(of, "it", { type: "reference", allowMultiple: true })).toEqual(["titleField", "indexes"]);
    expect(obstacles(collection({ dateField: "it" }), "it", one("string"))).toEqual(["dateField"]);
    expect(obstacles(of, "constructor", one("json"))).toEqual([]);
  });

  it("may be its name without being said", () => {
    expect(losesNames(collection({ fields }), "title", one("number"))).toBe(true);
    expect(losesNames(collection({ fields }), "title", one("text"))).toBe(false);
    expect(losesNames(collection({ fields, titleField: "other" }), "title", one("number"))).toBe(false);
  });
});

it("tells one reference from several, and of other types does not ask", () => {
  expect(formOf(field("reference", { options: { allowMultiple: true } }))).toEqual({ type: "reference", allowMultiple: true });
  expect(formOf(field("string", { options: { allowMultiple: true } }))).toEqual(one("string"));
});
