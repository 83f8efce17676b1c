import fc from "fast-check";
import { describe, expect, it } from "vitest";

import vectors from "../../../../cms-domain/src/merge_vectors.json";
import { isSame } from "~/lib/same";

import { merge, type Choice, type Conflict, type Shapes, type Values } from "./merge";

interface Vector {
  name: string;
  shapes: Shapes;
  base: Values;
  mine: Values;
  theirs: Values;
  choices?: Record<string, Choice>;
  value: Values;
  conflicts: Conflict[];
}

/** As it is sent: what is absent is not there. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("what the server does as well", () => {
  it.each(vectors as unknown as Vector[])("$name", ({ base, mine, theirs, shapes, choices, value, conflicts }) => {
    const merged = merge(base, mine, theirs, shapes, new Map(Object.entries(choices ?? {})));
    expect(sent(merged.value)).toEqual(value);
    expect(sent(merged.conflicts)).toEqual(conflicts);
  });
});

interface Block {
  _key: string;
  text: string;
}

const keys = ["a", "b", "c", "d", "e"];
const base: Block[] = keys.map((_key) => ({ _key, text: _key }));

/** What somebody makes of the base: some blocks changed, some gone, some new, in any order. */
function made(side: string): fc.Arbitrary<Block[]> {
  const kept = fc.subarray(base).chain((blocks) => fc.tuple(...blocks.map((block) => fc.option(fc.constantFrom("1", "2").map((text) => ({ ...block, text })), { nil: block, freq: 2 }))));
  const added = fc.nat(3).map((count) => Array.from({ length: count }, (_, n) => ({ _key: `${side}${n}`, text: "new" })));
  return fc.tuple(kept, added).chain(([kept, added]) => fc.shuffledSubarray([...kept, ...added], { minLength: kept.length + added.length }));
}

const put = (mine: Block[], theirs: Block[]) => merge({ body: base }, { body: mine }, { body: theirs }, { body: "items" });

describe("both of one block", () => {
  it("get keys of their own, however often it is asked for", () => {
    const block = (_key: string, text: string): Block => ({ _key, text });
    const both = new Map<string, Choice>([[JSON.stringify(["body", "a"]), "both"]]);
    let [base, mine] = [[block("a", "")], [block("a", "mine 1")]];
    for (const n of [1, 2, 3]) {
      const theirs = base.map((item) => (item._key === "a" ? block("a", `theirs ${n}`) : item));
      const { value, conflicts } = merge({ body: base }, { body: mine }, { body: theirs }, { body: "items" }, both);
      expect(conflicts).toEqual([]);
      base = value.body as Block[];
      mine = base.map((item) => (item._key === "a" ? block("a", `mine ${n + 1}`) : item));
    }
    expect(base.map(({ text }) => text)).toEqual(["theirs 3", "mine 3", "mine 2", "mine 1"]);
    expect(new Set(base.map(({ _key }) => _key)).size).toBe(base.length);
  });
});

describe("both of one block, kept in two tabs", () => {
  it("are there once", () => {
    const block = (_key: string, text: string): Block => ({ _key, text });
    const both = new Map<string, Choice>([[JSON.stringify(["body", "a"]), "both"]]);
    const sides = (theirs: Block[]) => merge({ body: [block("a", "")] }, { body: [block("a", "mine")] }, { body: theirs }, { body: "items" }, both).value.body as Block[];
    const kept = sides([block("a", "theirs")]);
    expect(kept.map(({ text }) => text)).toEqual(["theirs", "mine"]);
    expect(sides(kept)).toEqual(kept);
  });
});

describe("two sides", () => {
  it("lose nothing and double nothing", () => {
    fc.assert(
      fc.property(made("m"), made("t"), (mine, theirs) => {
        const { value, conflicts } = put(mine, theirs);
        const body = value.body as Block[];
        expect(new Set(body.map(({ _key }) => _key)).size).toBe(body.length);
        const isThere = (block: Block) => body.some((other) => isSame(other, block)) || conflicts.some(({ mine, theirs }) => isSame(mine, block) || isSame(theirs, block));
        for (const side of [mine, theirs]) {
          const written = side.filter((block) => !base.some((old) => isSame(old, block)));
          expect(written.filter((block) => !isThere(block))).toEqual([]);
          const gone = keys.filter((key) => !side.some(({ _key }) => _key === key));
          const isBack = (key: string) => body.some(({ _key }) => _key === key) && !conflicts.some(({ path }) => path[1] === key);
          expect(gone.filter(isBack)).toEqual([]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are one where only one of them did anything", () => {
    fc.assert(
      fc.property(made("m"), (mine) => {
        expect(put(mine, base)).toEqual({ value: { body: mine }, conflicts: [] });
        expect(put(base, mine)).toEqual({ value: { body: mine }, conflicts: [] });
        expect(put(mine, mine)).toEqual({ value: { body: mine }, conflicts: [] });
      }),
    );
  });
});
