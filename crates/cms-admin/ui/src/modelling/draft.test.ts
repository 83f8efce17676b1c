import { expect, it } from "vitest";

import type { ContentField } from "~/api/types";

import { changesOf, draftOf, newDraft, newFieldBody } from "./draft";
import { FIELD_TYPES, type FieldType } from "./fieldTypes";

const BARE = { slug: "it", label: "It", required: false, unique: false, indexed: false, searchable: false, translatable: true, defaultValue: null, validation: null, options: null };
const field = (type: FieldType, rest: object = {}) => ({ ...BARE, type, ...rest }) as unknown as ContentField;
const FLAG = field("boolean", { slug: "flag" });

/** A field of each type, with all that there is to say of it, and more than this form knows. */
const FULL: ContentField[] = [
  ...FIELD_TYPES.map(({ type }) => field(type)),
  field("string", { unique: true, indexed: true, searchable: true, required: true, defaultValue: " x ", validation: { minLength: 0, maxLength: 20, pattern: "^a " } }),
  field("integer", { validation: { min: -3, max: 7.5 }, defaultValue: 0 }),
  field("datetime", { validation: { minDate: "2027-01-01T00:00:00.000Z" } }),
  field("select", { validation: { options: [" spaced ", "two\nlines"] }, options: { condition: { field: "flag", equals: true }, widget_of_a_plugin: { deep: [1] } } }),
  field("multiSelect", { validation: { options: ["a", "b"], minItems: 1, maxItems: 2 } }),
  field("image", { validation: { allowedMimeTypes: ["image/", "image/svg+xml"] } }),
  field("reference", { options: { collection: "authors", allowMultiple: true, onDelete: "restrict" }, validation: { maxItems: 3 } }),
  field("slug", { options: { source: "title", help: "h", placeholder: "p", width: "half", group: "g", tab: "t", condition: { field: "other", in: [1, "x"] } } }),
  field("text", { options: { description: "old help", rows: 8, condition: { field: "gone" } } }),
  field("repeater", { validation: { minItems: 1, subFields: [{ slug: "size", type: "select", label: "Size", required: true, options: ["S", "M"] }, { slug: "n", type: "integer", label: "N", required: false }] } }),
];

it.each(FULL.map((field) => [field.type, field] as const))("sends nothing of a field that nobody changed: %s", (_, field) => {
  expect(changesOf(field, draftOf(field), [FLAG])).toEqual({});
});

it("changes what was changed and keeps what it does not know", () => {
  const before = field("select", { validation: { options: ["two\nlines"] }, options: { help: "h", of_a_plugin: 1 } });
  const draft = draftOf(before);
  draft.label = "Other";
  draft.options.width = "half";
  expect(changesOf(before, draft, [])).toEqual({ label: "Other", options: { help: "h", of_a_plugin: 1, width: "half" } });
});

it("keeps the options of a choice within rows", () => {
  const before = field("repeater", { validation: { subFields: [{ slug: "size", type: "select", label: "Size", required: false, options: ["S", "M"] }] } });
  const draft = draftOf(before);
  draft.validation.minItems = "1";
  expect(changesOf(before, draft, []).validation).toEqual({ minItems: 1, subFields: [{ slug: "size", type: "select", label: "Size", required: false, options: ["S", "M"] }] });
});

it("leaves behind what does not apply to another type", () => {
  const before = field("string", { unique: true, indexed: true, searchable: true, defaultValue: "x", validation: { maxLength: 5 }, options: { placeholder: "p", help: "h" } });
  const changes = changesOf(before, { ...draftOf(before), type: "json" }, []);
  expect(changes).toEqual({ type: "json", unique: false, indexed: false, searchable: false, defaultValue: null, validation: null, options: { help: "h" } });
});

it("compares with a value of the other field's type", () => {
  const condition = (slug: string, value: string) => {
    const draft = newDraft("string");
    draft.options.condition = { field: slug, is: "equals", value };
    return newFieldBody(draft, [FLAG, field("integer", { slug: "n" }), field("string", { slug: "s" })]).options?.condition;
  };
  expect(condition("flag", "true")).toEqual({ field: "flag", equals: true });
  expect(condition("n", "3")).toEqual({ field: "n", equals: 3 });
  expect(condition("s", "3")).toEqual({ field: "s", equals: "3" });
});

it("sends of a new field what somebody said", () => {
  const draft = { ...newDraft("string"), label: " Title ", slug: "title" };
  expect(newFieldBody(draft, [])).toEqual({ label: "Title", slug: "title", type: "string", required: false, unique: false, indexed: false, searchable: true, translatable: true });
});
