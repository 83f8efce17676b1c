import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { blocks } from "./arbitrary";
import { applyMarkdown, fromMarkdown, toMarkdown } from "./markdown";
import type { Typed } from "./value";

const span = (text: string, marks: string[] = []) => ({ _type: "span", _key: text, text, marks });
const block = (_key: string, children: Typed[], more: Partial<Typed> = {}): Typed => ({ _type: "block", _key, style: "normal", markDefs: [], children, ...more });

describe("a text as Markdown", () => {
  it("comes back as the very blocks that were stored when nobody touches it", () => {
    fc.assert(
      fc.property(blocks, (value) => {
        const source = toMarkdown(value);
        const { blocks: after, losses } = applyMarkdown(source, source.markdown);
        if (source.said.length !== source.origins.length) return;
        expect(after.length).toBe(value.length);
        after.forEach((block, n) => expect(block).toBe(value[n]));
        expect(losses).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("changes the block that was edited and no other, and keeps its key", () => {
    const value = [block("a", [span("one", ["underline"])]), block("b", [span("two")]), { _type: "hero", _key: "h", x: [1] }, block("c", [span("three")])];
    const source = toMarkdown(value);
    const { blocks: after, losses } = applyMarkdown(source, source.markdown.replace("two", "**2**"));
    expect([after[0], after[2], after[3]]).toEqual([value[0], value[2], value[3]]);
    expect(after[0]).toBe(value[0]);
    expect(after[1]).toMatchObject({ _key: "b", children: [{ text: "2", marks: ["strong"] }] });
    expect(losses).toEqual([]);
  });

  it("says what an edit would lose", () => {
    const value = [block("a", [span("one", ["underline"])], { textAlign: "center" })];
    const source = toMarkdown(value);
    expect(applyMarkdown(source, source.markdown.replace("one", "other")).losses).toEqual(value);
  });

  it("carries what it cannot say in a fence", () => {
    const value = [{ _type: "hero", _key: "h", headline: "x" }];
    expect(toMarkdown(value).markdown).toContain("```json:object");
    expect(fromMarkdown(toMarkdown(value).markdown)).toEqual(value);
  });

  it("reads what the editor knows", () => {
    const types = fromMarkdown("# T\n\n> q\n\n1. a\n   - b\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n---\n\n> [!TIP]\n> yes\n\n![alt](https://x.example/a.png)\n\n[no](javascript:alert(1))").map(({ _type, style, listItem, level }) => [_type, style, listItem, level]);
    expect(types).toEqual([
      ["block", "h1", undefined, undefined],
      ["block", "blockquote", undefined, undefined],
      ["block", "normal", "number", 1],
      ["block", "normal", "bullet", 2],
      ["table", undefined, undefined, undefined],
      ["break", "lineBreak", undefined, undefined],
      ["callout", undefined, undefined, undefined],
      ["image", undefined, undefined, undefined],
      ["block", "normal", undefined, undefined],
    ]);
  });

  it("survives what is no block", () => {
    expect(toMarkdown([7, null, "x", block("a", [span("one")])] as unknown as Typed[]).markdown).toContain("one");
  });
});
