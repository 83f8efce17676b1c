import { describe, expect, it } from "vitest";

import { headingsOf, readingOf } from "../model/reading";
import type { Field } from "../model/values";
import { isAddress } from "./address";
import { layoutOf } from "./layout";
import { lengthOf } from "./length";
import { numberIn } from "./numbers";
import { holds, lookOf } from "./shape";

describe("a number", () => {
  it("is read as people of a language write it", () => {
    expect(numberIn("1.5", "en")).toBe(1.5);
    expect(numberIn("1,5", "de")).toBe(1.5);
    expect(numberIn("١٫٥", "ar")).toBe(1.5);
    expect(numberIn(" -3 ", "en")).toBe(-3);
    expect(numberIn("2e3", "en")).toBe(2000);
  });

  it("is none while it is half typed, and never nothing", () => {
    for (const text of ["", "-", ".", "1e", "abc", "0x10", "1,000", "Infinity"]) expect(numberIn(text, "en")).toBeUndefined();
  });
});

it("counts characters as the server does", () => {
  expect(lengthOf("Loom")).toBe(4);
  expect(lengthOf("🧵é")).toBe(2);
});

it("knows what is an address", () => {
  for (const text of ["https://example.com", "http://localhost:8080/x", "mailto:ada@example.com", "tel:+491234"]) expect(isAddress(text)).toBe(true);
  for (const text of ["example.com", "javascript:alert(1)", "https://", "ftp://example.com", "https://a b.com"]) expect(isAddress(text)).toBe(false);
});

describe("where fields are", () => {
  const field = (slug: string, options: Record<string, unknown> = {}) => ({ id: slug, slug, options, type: "string" }) as unknown as Field;

  it("is in tabs, groups and columns as their options say", () => {
    const layout = layoutOf([field("a"), field("b", { group: "G" }), field("c"), field("d", { group: "G" }), field("e", { tab: "T", width: "half" })]);
    expect(layout.map(({ name, groups }) => [name, groups.map(({ name, fields }) => [name, fields.map(({ slug }) => slug)])])).toEqual([
      [undefined, [[undefined, ["a"]], ["G", ["b", "d"]], [undefined, ["c"]]]],
      ["T", [[undefined, ["e"]]]],
    ]);
  });

  it("is not changed by options that make no sense", () => {
    expect(lookOf({ options: { width: 7, rows: "many", condition: "x", tab: "" } })).toMatchObject({ width: "full", rows: undefined, condition: undefined, tab: undefined });
  });

  it("depends on other values where there is a condition", () => {
    expect(holds({ field: "kind", equals: "talk" }, "talk")).toBe(true);
    expect(holds({ field: "kind", equals: "talk" }, ["talk", "other"])).toBe(true);
    expect(holds({ field: "kind", in: ["a", "b"] }, "c")).toBe(false);
    expect(holds({ field: "kind", isSet: true }, "")).toBe(false);
    expect(holds({ field: "kind", isSet: false }, undefined)).toBe(true);
  });
});

describe("rich text", () => {
  const block = (text: string, style = "normal") => ({ _type: "block", _key: text, style, children: [{ _type: "span", text }] });
  const fields = [{ slug: "body", type: "portableText" } as Field];

  it("has its words counted in every script", () => {
    expect(readingOf(fields, { body: [block("Two words"), block("日本語")] })).toMatchObject({ words: 5 });
    expect(readingOf(fields, { body: "written wrongly" })).toMatchObject({ words: 0 });
  });

  it("has an outline of its headings", () => {
    expect(headingsOf(fields, { body: [block("One", "h2"), block("x"), block("Two", "h3"), null, { style: 7 }] })).toEqual([
      { field: "body", key: "One", level: 2, text: "One", nth: 0 },
      { field: "body", key: "Two", level: 3, text: "Two", nth: 1 },
    ]);
  });
});
