import fc from "fast-check";
import { EditorState, TextSelection } from "prosemirror-state";
import { Mapping } from "prosemirror-transform";
import { describe, expect, it } from "vitest";

import { blocks } from "./arbitrary";
import { toDocument, toValue } from "./convert";
import { uniqueKeys } from "./keys";
import { takeIn } from "./takeIn";
import type { Blocks, Typed } from "./value";

const open = (value: Blocks) => EditorState.create({ doc: toDocument(value), plugins: [uniqueKeys()] });
const take = (state: EditorState, value: Blocks) => state.apply(takeIn(state.tr, state.doc, toDocument(value), new Mapping()));
const block = (_key: string, text: string) => ({ _type: "block", _key, style: "normal", markDefs: [], children: [{ _type: "span", _key: "s", text, marks: [] }] });
const texts = (state: EditorState) => (toValue(state.doc) as Typed[]).map(({ children }) => (children as Typed[]).map(({ text }) => text).join(""));

/** A value, and another one that is made from it as somebody else might: blocks gone, moved, come, and written anew. */
const versions = fc.tuple(blocks, blocks, fc.infiniteStream(fc.nat(9))).map(([before, come, dice]): [Blocks, Blocks] => {
  const roll = () => dice.next().value as number;
  const kept = before.filter(() => roll() > 1).map((block) => (roll() > 6 && typeof block._key === "string" ? { ...block, children: [{ _type: "span", text: "anew" }] } : block));
  const all = [...kept, ...come.slice(0, roll() % 3)];
  return [before, roll() > 6 ? all.reverse() : all];
});

describe("a value from elsewhere", () => {
  it("is byte for byte what the editor then has", () => {
    fc.assert(
      fc.property(versions, ([before, now]) => {
        const state = take(open(before), now);
        if (now.length > 0) expect(JSON.stringify(toValue(state.doc))).toBe(JSON.stringify(now));
        else expect(state.doc.childCount).toBe(1);
      }),
      { numRuns: 400 },
    );
  });

  it("leaves the caret in the words where it was, whatever changes around them", () => {
    let state = open([block("a", "one"), block("b", "two"), block("c", "three")]);
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 7)));
    expect(state.selection.$from.parent.textContent).toBe("two");
    const after = take(state, [block("x", "new"), block("a", "one!"), block("b", "two"), block("d", "last")]);
    expect(after.selection.$from.parent.textContent).toBe("two");
    expect(after.selection.$from.parentOffset).toBe(state.selection.$from.parentOffset);
  });

  it("leaves the caret in a block whose other words change", () => {
    let state = open([block("a", "one two")]);
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 7)));
    const after = take(state, [block("a", "zero one two")]);
    expect(after.selection.$from.parentOffset).toBe(11);
  });

  it("keeps what was written in the meantime", () => {
    const state = open([block("a", "one"), block("b", "two")]);
    const before = state.doc;
    const typing = state.tr.insertText("!", 9);
    const written = state.apply(typing);
    const since = new Mapping(typing.mapping.maps.slice());
    const after = written.apply(takeIn(written.tr, before, toDocument([block("a", "one"), block("c", "new"), block("b", "two")]), since));
    expect(texts(after)).toEqual(["one", "new", "two!"]);
  });
});
