import fc from "fast-check";
import { splitBlock, toggleMark } from "prosemirror-commands";
import type { Node } from "prosemirror-model";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { describe, expect, it } from "vitest";

import { blocks } from "./arbitrary";
import { toDocument, toValue } from "./convert";
import { uniqueKeys } from "./keys";
import { annotation, decorator } from "./schema";
import type { Blocks, Typed } from "./value";

const open = (value: Blocks | null | undefined) => EditorState.create({ doc: toDocument(value), plugins: [uniqueKeys()] });
const save = (state: EditorState) => toValue(state.doc) as Blocks;
const span = (text: string, marks: string[] = [], _key = text) => ({ _type: "span", _key, text, marks });
const block = (_key: string, children: Typed[], markDefs: Typed[] = []) => ({ _type: "block", _key, style: "normal", markDefs, children });

/** Where the n-th letter of the n-th block is. */
function at(document: Node, child: number, offset = 0): number {
  return document.children.slice(0, child).reduce((position, { nodeSize }) => position + nodeSize, 1 + offset);
}

describe("what is opened and saved", () => {
  it("is byte for byte what it was, whatever it is", () => {
    fc.assert(
      fc.property(blocks, (value) => {
        expect(JSON.stringify(save(open(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 400 },
    );
  });

  it("is nothing where nothing was", () => {
    for (const value of [undefined, null, []]) expect(toValue(open(value).doc)).toEqual(value);
  });
});

/** Something that a person does at places of the document. */
type Step = { kind: "type" | "delete" | "split" | "mark" | "link"; from: number; to: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom("type", "delete", "split", "mark", "link"), from: fc.nat(), to: fc.nat(20) }),
  { minLength: 1, maxLength: 6 },
);

function take(state: EditorState, { kind, from, to }: Step): EditorState {
  const size = state.doc.content.size;
  const start = state.doc.resolve(from % (size + 1));
  const end = state.doc.resolve(Math.min(start.pos + to, size));
  const selected = state.apply(state.tr.setSelection(TextSelection.between(start, end)));
  let next = selected;
  const dispatch = (transaction: Transaction) => (next = selected.apply(transaction));
  if (kind === "type") dispatch(selected.tr.insertText("x"));
  else if (kind === "delete") dispatch(selected.tr.deleteSelection());
  else if (kind === "split") splitBlock(selected, dispatch);
  else if (kind === "mark") toggleMark(decorator, { name: "strong" })(selected, dispatch);
  else toggleMark(annotation, { definition: { _type: "link", _key: "l1", href: "/new" } })(selected, dispatch);
  return next;
}

describe("an edit", () => {
  it("changes no block that it does not touch", () => {
    const unique = blocks.map((value) => value.map((block, n) => ({ ...block, _key: `k${n}` })));
    fc.assert(
      fc.property(unique, steps, (value, steps) => {
        let state = open(value);
        for (const step of steps) {
          const [before, doc] = [save(state), state.doc];
          const next = take(state, step);
          const start = doc.content.findDiffStart(next.doc.content);
          const end = doc.content.findDiffEnd(next.doc.content);
          const after = save(next);
          if (start === null || end === null) {
            expect(after).toEqual(before);
          } else {
            doc.forEach((_, position, n) => {
              const behind = position + doc.child(n).nodeSize;
              const now = behind < start ? n : position > end.a ? n - doc.childCount + next.doc.childCount : null;
              if (now !== null) expect(JSON.stringify(after[now])).toBe(JSON.stringify(before[n]));
            });
          }
          state = next;
        }
      }),
      { numRuns: 400 },
    );
  });

  it("leaves keys that are there and are all different", () => {
    fc.assert(
      fc.property(blocks, steps, (value, steps) => {
        let state = open(value);
        const before = state.doc;
        for (const step of steps) state = take(state, step);
        if (state.doc.eq(before)) return;
        const saved = save(state);
        expect(saved.every(({ _key }) => typeof _key === "string" && _key !== "")).toBe(true);
        expect(new Set(saved.map(({ _key }) => _key)).size).toBe(saved.length);
      }),
      { numRuns: 400 },
    );
  });

  it("keeps all that a block is besides its text, in its order", () => {
    const value = [{ custom: { x: 1 }, _type: "block", children: [span("ab")], _key: "a", textAlign: "center", style: "lede", checked: true, listItem: "checklist" }];
    const state = open(value);
    const saved = save(state.apply(state.tr.insertText("c", 3)));
    expect(JSON.stringify(saved)).toBe(JSON.stringify([{ ...value[0], children: [{ ...span("abc"), _key: "ab" }], markDefs: [] }]));
  });

  it("keeps the keys of the spans beside it", () => {
    const value = [block("a", [span("one ", [], "1"), span("two", ["strong"], "2"), span(" three", [], "3")])];
    const state = open(value);
    const saved = save(state.apply(state.tr.insertText("!", 8)));
    expect(saved[0]?.children).toEqual([span("one ", [], "1"), span("two!", ["strong"], "2"), span(" three", [], "3")]);
  });

  it("splits a block into one that keeps its key and a new one, and a span likewise", () => {
    let state = open([block("a", [span("onetwo", [], "1")])]);
    state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 4)));
    splitBlock(state, (transaction) => (state = state.apply(transaction)));
    const [first, second] = save(state);
    expect(first).toEqual(block("a", [span("one", [], "1")]));
    expect(second).toMatchObject({ children: [{ text: "two" }] });
    expect(second?._key).not.toBe("a");
  });

  it("takes a link along with its words", () => {
    const link = { _type: "link", _key: "l1", href: "/x", rel: "nofollow" };
    let state = open([block("a", [span("go", ["l1"], "1")], [link]), block("b", [span("there", [], "2")])]);
    const copied = state.doc.slice(1, 3);
    state = state.apply(state.tr.replace(at(state.doc, 1, 5), at(state.doc, 1, 5), copied));
    expect(save(state)[1]).toMatchObject({ markDefs: [link], children: [span("there", [], "2"), { text: "go", marks: ["l1"] }] });
  });

  it("tells links apart that had the same key in blocks that were joined", () => {
    const to = (href: string) => ({ _type: "link", _key: "l1", href });
    let state = open([block("a", [span("go", ["l1"], "1")], [to("/x")]), block("b", [span("there", ["l1"], "2")], [to("/y")])]);
    state = state.apply(state.tr.join(at(state.doc, 1) - 1));
    const [joined] = save(state);
    const [first, second] = joined?.markDefs as Typed[];
    expect([first?.href, second?.href]).toEqual(["/x", "/y"]);
    expect(joined?.children).toMatchObject([{ text: "go", marks: [first?._key] }, { text: "there", marks: [second?._key] }]);
  });

  it("forgets a definition with its last word, and keeps one that no word needed", () => {
    const [used, unused] = [{ _type: "link", _key: "l1", href: "/x" }, { _type: "comment", _key: "c1", thread: 7 }];
    const state = open([block("a", [span("go", ["l1"], "1"), span(" on", [], "2")], [used, unused])]);
    expect(save(state.apply(state.tr.delete(1, 3)))[0]).toMatchObject({ markDefs: [unused], children: [{ text: " on", _key: "2" }] });
  });

  it("that is taken back leaves what was there", () => {
    const value = [{ children: [{ text: "ab", _type: "span" }], _type: "block", _key: "a" }];
    let state = open(value);
    state = state.apply(state.tr.insertText("x", 2));
    state = state.apply(state.tr.delete(2, 3));
    expect(save(state)[0]).toBe(value[0]);
  });

  it("names what was typed once", () => {
    const state = open([]);
    const typed = (text: string) => save(state.apply(state.tr.insertText(text, 1)))[0]?.children as Typed[];
    expect(typed("o")[0]?._key).toBe(typed("one")[0]?._key);
  });

  it("changes one cell of a table and nothing else of it", () => {
    const cell = (text: string) => ({ _type: "tableCell", _key: `c${text}`, content: [span(text)], width: 40 });
    const rows = [["1", "2"], ["3", "4"]].map((cells, n) => ({ _type: "tableRow", _key: `r${n}`, cells: cells.map(cell) }));
    const value = [{ _type: "table", _key: "t", caption: "Numbers", rows, hasHeaderRow: true }];
    const state = open(value);
    const saved = save(state.apply(state.tr.insertText("0", 4))) as unknown as [{ rows: typeof rows }];
    expect(saved[0].rows[0]?.cells[0]?.content).toEqual([{ ...span("10"), _key: "1" }]);
    expect(saved[0].rows[0]?.cells[1]).toBe(rows[0]?.cells[1]);
    expect(saved[0].rows[1]).toBe(rows[1]);
    expect(saved[0]).toMatchObject({ caption: "Numbers", hasHeaderRow: true });
  });
});

describe("a value of 5,000 blocks", () => {
  it("is edited without writing the blocks that nobody touched", () => {
    const value = Array.from({ length: 5000 }, (_, n) => block(`b${n}`, [span(`Paragraph ${n}`, [], `s${n}`)]));
    const state = open(value);
    const saved = save(state.apply(state.tr.insertText("x", 5)));
    expect(saved.filter((block, n) => block !== value[n]).length).toBe(1);
  });
});
