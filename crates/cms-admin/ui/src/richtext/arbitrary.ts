// Values for tests that hold for all of them: what programs and imports really store, with the mistakes that they make.

import fc from "fast-check";

import type { Blocks, Typed } from "./value";

const key = fc.option(fc.constantFrom("a", "b", "c", "d1", "0f"), { nil: undefined });
const json = fc.jsonValue({ maxDepth: 2 });
const more = fc.dictionary(fc.constantFrom("custom", "x", "textAlign", "listId", "checked"), json, { maxKeys: 2 });
const text = fc.oneof(fc.constantFrom("", " ", "Hello", "world", "مرحبا", "日本語", "👩‍👩‍👧", "a\nb"), fc.string({ maxLength: 12 }));

/** An object whose members come in any order, some of them not at all. */
function typed(type: string, members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Typed> {
  return fc
    .tuple(fc.record(members, { requiredKeys: [] }), more, key, fc.infiniteStream(fc.nat(7)))
    .map(([known, extra, key, order]) => {
      const all = Object.entries({ _type: type, ...(key === undefined ? {} : { _key: key }), ...extra, ...known });
      return Object.fromEntries(all.map((member) => ({ member, at: order.next().value as number })).sort((one, other) => one.at - other.at).map(({ member }) => member)) as Typed;
    });
}

const mark = fc.constantFrom("strong", "em", "code", "glow", "l1", "l2", "f1");
const span = typed("span", { text, marks: fc.uniqueArray(mark, { maxLength: 3 }) }).map((span) => (span.text === undefined ? { ...span, text: "" } : span));
const mention = typed("mention", { userId: fc.nat() });
const children = fc.array(fc.oneof({ weight: 5, arbitrary: span }, { weight: 1, arbitrary: mention }), { maxLength: 5 });
const definition = fc.oneof(typed("link", { href: fc.webUrl(), blank: fc.boolean() }), typed("footnote", { note: text })).chain((definition) => fc.constantFrom("l1", "l2", "f1").map((_key) => ({ ...definition, _key })));
const definitions = fc.uniqueArray(definition, { maxLength: 3, selector: ({ _key }) => _key });

const paragraph = fc
  .tuple(
    typed("block", {
      style: fc.constantFrom("normal", "h2", "blockquote", "lede"),
      listItem: fc.constantFrom("bullet", "number", "checklist"),
      level: fc.integer({ min: 1, max: 4 }),
      markDefs: definitions,
    }),
    children,
  )
  .map(([block, children]) => ({ ...block, children }));

const cell = fc.tuple(typed("tableCell", { isHeader: fc.boolean(), markDefs: definitions }), children).map(([cell, content]) => ({ ...cell, content }));
const table = fc.integer({ min: 1, max: 3 }).chain((width) => {
  const row = fc.tuple(typed("tableRow", {}), fc.array(cell, { minLength: width, maxLength: width })).map(([row, cells]) => ({ ...row, cells }));
  return fc.tuple(typed("table", { hasHeaderRow: fc.boolean() }), fc.array(row, { minLength: 1, maxLength: 3 })).map(([table, rows]) => ({ ...table, rows }));
});

/** What looks like something known and is something else. */
const wrong = fc.oneof(
  typed("block", { children: json }),
  typed("block", { markDefs: json, children }),
  typed("table", { rows: json }),
  typed("table", { rows: fc.array(fc.record({ cells: fc.array(fc.record({ content: fc.array(paragraph, { minLength: 1, maxLength: 1 }) }), { maxLength: 2 }) }), { maxLength: 2 }) }),
  typed("code", { code: json, language: json }),
  typed("callout", { content: json, tone: json }),
  typed("columns", { columns: json }),
  typed("toggle", { title: json, content: json }),
);

const content = fc.array(paragraph, { maxLength: 2 });
const columns = fc
  .tuple(typed("columns", {}), fc.array(fc.tuple(typed("column", {}), content).map(([column, content]) => ({ ...column, content })), { minLength: 1, maxLength: 3 }))
  .map(([block, columns]) => ({ ...block, columns }));
const container = fc.oneof(
  columns,
  fc.tuple(typed("callout", { tone: fc.constantFrom("note", "warning") }), content).map(([block, content]) => ({ ...block, content })),
  fc.tuple(typed("toggle", { title: text }), fc.array(fc.oneof(paragraph, columns), { maxLength: 2 })).map(([block, content]) => ({ ...block, content })),
);

const block: fc.Arbitrary<Typed> = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 2, arbitrary: table },
  { weight: 2, arbitrary: container },
  { weight: 1, arbitrary: typed("code", { code: text, language: fc.constantFrom("rust", "") }) },
  { weight: 1, arbitrary: typed("hero", { headline: text, nested: json }) },
  { weight: 1, arbitrary: wrong },
);

/** Any value. */
export const blocks: fc.Arbitrary<Blocks> = fc.array(block, { maxLength: 8 });
