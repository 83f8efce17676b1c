import { describe, expect, it } from "vitest";

import { merge, type Values } from "~/editing/merge";

import { bodyOf, placeOf, placed, PUBLISHED_AT, shapesOf, SLUG, unread, unreadIn, valuesOf, type Field } from "./values";

const field = (slug: string, type: Field["type"]) => ({ slug, type }) as Field;

describe("values of an entry", () => {
  const item = { data: { title: "Looms", body: [] }, slug: "looms", publishedAt: null, seo: { title: "On looms", description: null, image: null, canonical: null, noIndex: false } };

  it("come back as what they were made of", () => {
    const { data, slug, seo } = bodyOf(valuesOf(item));
    expect(data).toEqual(item.data);
    expect(slug).toBe("looms");
    expect(seo).toEqual({ title: "On looms", description: null, image: null, canonical: null, noIndex: null });
  });

  it("name only what was changed", () => {
    expect(bodyOf({ seoTitle: "x" })).toEqual({ seo: { title: "x" } });
    expect(bodyOf({ [SLUG]: null })).toEqual({ slug: null });
    expect(bodyOf({ title: null })).toEqual({ data: { title: null } });
  });

  it("have a place for everything that the server finds wrong", () => {
    expect(placeOf("data.title")).toEqual(["title"]);
    expect(placeOf("data.rows.2.url")).toEqual(["rows", "2", "url"]);
    expect(placeOf("slug")).toEqual([SLUG]);
    expect(placeOf("seo.canonical")).toEqual(["seoCanonical"]);
    expect(placed({ path: "data.slug_part", code: "X", message: "" }).path).toBe("slug_part");
  });

  it("are merged by block in rich text and by row in repeaters", () => {
    const shapes = shapesOf([field("body", "portableText"), field("rows", "repeater"), field("tags", "multiSelect")]);
    expect(shapes).toEqual({ body: "items", rows: { rows: {} } });
    const rows = (a: string, b: string) => ({ rows: [{ _key: "a", text: a }, { _key: "b", text: b }] });
    expect(merge(rows("1", "1"), rows("2", "1"), rows("1", "2"), shapes)).toEqual({ value: rows("2", "2"), conflicts: [] });
  });
});

it("finds what was typed and is no value yet, in rows and in the publication date as well", () => {
  const fields = [field("count", "integer"), field("rows", "repeater"), field("extra", "json")];
  const found = (values: Values) => unreadIn(values, fields).map(({ path, code }) => [path, code]);
  expect(found({ count: unread("1e"), rows: [{ n: 1 }, { n: unread("-") }], extra: { $typed: 1 } })).toEqual([
    ["count", "UNREADABLE"],
    ["rows.1.n", "UNREADABLE"],
  ]);
  expect(found({ count: 3, rows: "not rows" })).toEqual([]);
  // What is rounded here is not sent back so; a number field has doubles.
  expect(found({ extra: { id: 2 ** 53 }, count: 1e300 })).toEqual([["extra", "INEXACT"]]);
  expect(found({ [PUBLISHED_AT]: unread("31/02/2026 12:00") })).toEqual([[PUBLISHED_AT, "UNREADABLE"]]);
  expect(found({ [PUBLISHED_AT]: unread("") })).toEqual([[PUBLISHED_AT, "REQUIRED"]]);
});
