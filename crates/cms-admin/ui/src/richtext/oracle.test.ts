import { toHTML } from "@portabletext/to-html";
import fc from "fast-check";
import { EditorState } from "prosemirror-state";
import { describe, expect, it } from "vitest";

import { blocks } from "./arbitrary";
import { toDocument, toValue } from "./convert";
import { uniqueKeys } from "./keys";
import { isTextBlock, type Blocks, type Typed } from "./value";

const INLINE = /^<(strong|em|code|span|a|u|s|sub|sup)\b/;

/** What a reader sees of a page: its blocks, and its words with all that lies on them, in whatever order that was written. */
function seen(value: Blocks): [string, string][] {
  const words: [string, string][] = [];
  const open: string[] = [];
  for (const part of toHTML(value, { onMissingComponent: false }).replaceAll("&nbsp;", " ").match(/<[^>]+>|[^<]+/g) ?? []) {
    if (part.startsWith("</")) open.pop();
    else if (/^<(br|hr|img)\b/.test(part)) words.push([part, ""]);
    else if (part.startsWith("<")) {
      open.push(part);
      if (!INLINE.test(part)) words.push([part, ""]);
    } else {
      const marks = open.toSorted().join("");
      const last = words.at(-1);
      if (last?.[1] === marks) last[0] += part;
      else words.push([part, marks]);
    }
  }
  return words;
}

describe("what is written", () => {
  it("is shown by others as what was read, once each block was written anew", () => {
    // A span without words is not there in the editor. Two definitions with one key mean different things to different programs.
    const hasWords = ({ _type, text }: Typed) => _type !== "span" || text !== "";
    const known = blocks.map((value) => value.filter(isTextBlock).map((block) => ({ ...block, children: block.children.filter(hasWords) })).filter(({ markDefs }) => new Set((markDefs ?? []).map(({ _key }) => _key)).size === (markDefs ?? []).length));
    fc.assert(
      fc.property(known, (value) => {
        if (value.length === 0) return;
        let state = EditorState.create({ doc: toDocument(value), plugins: [uniqueKeys()] });
        // A letter comes and goes in each block, so that none is the one that it was made from.
        const places: number[] = [];
        state.doc.forEach((node, position) => places.push(position + node.nodeSize - 1));
        for (const place of places.reverse()) state = state.apply(state.tr.insertText("\u2060", place));
        const written = JSON.parse(JSON.stringify(toValue(state.doc)).replaceAll("\u2060", "")) as Blocks;
        expect(seen(written)).toEqual(seen(value));
      }),
      { numRuns: 100 },
    );
  });
});
