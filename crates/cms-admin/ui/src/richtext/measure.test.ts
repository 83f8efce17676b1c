import { describe, expect, it } from "vitest";

import { lengthOf, outlineOf } from "./measure";
import type { Typed } from "./value";

const block = (text: string, style = "normal"): Typed => ({ _type: "block", _key: text.slice(0, 5), style, children: [{ _type: "span", _key: "s", text, marks: [] }] });

describe("the length of a text", () => {
  it("counts words where they have spaces between them", () => {
    expect(lengthOf([block("It’s a well-known fact."), block("مرحبا بالعالم")])).toMatchObject({ words: 6, minutes: 1 });
  });

  it("counts words where they have none", () => {
    expect(lengthOf([block("私は日本語を話します")]).words).toBeGreaterThan(3);
  });

  it("counts what is in tables, columns and callouts", () => {
    const cell = { _type: "tableCell", content: [{ _type: "span", text: "two words", marks: [] }] };
    expect(lengthOf([{ _type: "table", rows: [{ cells: [cell] }] }, { _type: "columns", columns: [{ content: [block("three more words")] }] }, { _type: "callout", content: [block("one")] }]).words).toBe(6);
  });

  it("is nothing for what is no text", () => {
    for (const value of [null, undefined, 7, "x", [null, 3, {}]]) expect(lengthOf(value)).toEqual({ words: 0, characters: 0, minutes: 0 });
  });
});

describe("the outline of a text", () => {
  it("is its headings, in their order", () => {
    expect(outlineOf([block("Title", "h1"), block("words"), block("Part", "h3"), 7])).toEqual([
      { key: "Title", level: 1, text: "Title" },
      { key: "Part", level: 3, text: "Part" },
    ]);
  });
});
