// Portable Text into the editor and back, without losing anything.
//
// Nodes never change, and those that nobody touches stay the same objects through every change of the document. So a node that was made from a block
// and is still the same object gives back that very block: what was not touched is byte for byte what it was, by construction.

import type { Node } from "prosemirror-model";

import { code, object, schema, table, tableCell, tableRow, textBlock, type CellAttributes, type ObjectAttributes, type TextAttributes } from "./schema";
import { fromSpans, toSpans } from "./spans";
import { areMarks, isList, isTextBlock, isTyped, newKey, type Blocks, type Typed } from "./value";

/** What a node was made from, or what was made of it, as long as it is the same node. */
const origins = new WeakMap<Node, unknown>();
/** The node that was made from a block, a row or a cell. */
const firsts = new WeakMap<Typed, Node>();

function made(node: Node, from: Typed): Node {
  origins.set(node, from);
  firsts.set(from, node);
  return node;
}

/** What a node is in Portable Text. One that was changed and is as it was again is what it was. */
function written(node: Node, write: () => Typed): Typed {
  if (!origins.has(node)) {
    const source = node.attrs.source as Typed | null | undefined;
    origins.set(node, source && firsts.get(source)?.eq(node) ? source : write());
  }
  return origins.get(node) as Typed;
}

/** The document of a value. Where there is none, there is a paragraph to write in. */
export function toDocument(value: Blocks | null | undefined): Node {
  const blocks = value ?? [];
  const nodes = blocks.length === 0 ? [textBlock.create({ key: newKey() })] : blocks.map(fromBlock);
  const document = schema.nodes.doc.create(null, nodes);
  origins.set(document, value);
  return document;
}

/** The value of a document. */
export function toValue(document: Node): Blocks | null | undefined {
  if (origins.has(document)) return origins.get(document) as Blocks | null | undefined;
  return isBlank(document) ? [] : document.children.map(toBlock);
}

/** Whether nothing is written: there is one paragraph, which the editor made, and it is empty. */
export function isBlank(document: Node): boolean {
  const first = document.firstChild;
  if (document.childCount !== 1 || first?.type !== textBlock || first.childCount > 0) return false;
  const { style, listItem, source } = first.attrs as TextAttributes;
  return (style === "normal" || style === null) && listItem === null && source === null;
}

/** The node of a block. */
export function fromBlock(block: Typed): Node {
  // A program may have written anything among the blocks.
  if (!isTyped(block)) return object.create({ value: block });
  return made(
    isTextBlock(block) ? fromTextBlock(block) : isCode(block) ? fromCode(block) : isTable(block) ? fromTable(block) : object.create({ value: block }),
    block,
  );
}

/** The block of a node. */
export function toBlock(node: Node): Typed {
  return written(node, () => write(node));
}

function write(node: Node): Typed {
  switch (node.type) {
    case textBlock:
      return toTextBlock(node);
    case code:
      return toCode(node);
    case table:
      return toTable(node);
    default:
      return (node.attrs as ObjectAttributes).value as Typed;
  }
}

function fromTextBlock(block: Typed & { children: Typed[] }): Node {
  const { _key, style, listItem, level, textAlign, markDefs, children } = block as Typed & { children: Typed[]; markDefs?: Typed[] };
  const attributes = { key: _key ?? null, style: style ?? null, listItem: listItem ?? null, level: level ?? null, textAlign: textAlign ?? null, source: block };
  return textBlock.create(attributes, fromSpans(children, markDefs ?? []));
}

function toTextBlock(node: Node): Typed {
  const { key, style, listItem, level, textAlign, source } = node.attrs as TextAttributes;
  const before = { children: (source?.children ?? []) as Typed[], definitions: (source?.markDefs ?? []) as Typed[] };
  const { children, definitions } = toSpans(node.content, before);
  return rewritten(source ?? { _type: "block" }, { _key: key ?? newKey(), style, listItem, level, textAlign, markDefs: definitions, children });
}

/** A block of code whose text stands in lines. */
function isCode(block: Typed): boolean {
  const isName = (name: unknown) => name === undefined || typeof name === "string";
  return block._type === "code" && typeof block.code === "string" && isName(block.language) && isName(block.filename);
}

function fromCode(block: Typed): Node {
  const text = block.code as string;
  const attributes = { key: block._key ?? null, language: block.language ?? null, filename: block.filename ?? null, source: block };
  return code.create(attributes, text === "" ? [] : [schema.text(text)]);
}

function toCode(node: Node): Typed {
  const { key, language, filename, source } = node.attrs as { key: string | null; language: string | null; filename: string | null; source: Typed | null };
  return rewritten(source ?? { _type: "code" }, { _key: key ?? newKey(), code: node.textContent, language, filename });
}

interface Row extends Typed {
  cells: Cell[];
}

interface Cell extends Typed {
  content: Typed[];
  markDefs?: Typed[];
}

/** Whether a table is one that can be edited: of cells with text, as many in each row. */
function isTable(block: Typed): boolean {
  const { rows } = block;
  if (block._type !== "table" || !Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) return false;
  const width = rows[0]?.cells.length;
  return width !== 0 && rows.every(({ cells }) => cells.length === width);
}

function isRow(row: unknown): row is Row {
  return typeof row === "object" && row !== null && Array.isArray((row as Row).cells) && (row as Row).cells.every(isCell);
}

function isCell(cell: unknown): cell is Cell {
  if (typeof cell !== "object" || cell === null) return false;
  const { content, markDefs } = cell as Cell;
  return isList(content) && areMarks(content) && content.every(({ _type }) => _type !== "block") && (markDefs === undefined || isList(markDefs));
}

function fromTable(block: Typed): Node {
  const rows = (block.rows as Row[]).map((row) => {
    const cells = row.cells.map((cell) => {
      const attributes = { key: cell._key ?? null, isHeader: cell.isHeader === true, source: cell };
      return made(tableCell.create(attributes, fromSpans(cell.content, cell.markDefs ?? [])), cell);
    });
    return made(tableRow.create({ key: row._key ?? null, source: row }, cells), row);
  });
  return table.create({ key: block._key ?? null, source: block }, rows);
}

function toTable(node: Node): Typed {
  const { key, source } = node.attrs as { key: string | null; source: Typed | null };
  return rewritten(source ?? { _type: "table" }, { _key: key ?? newKey(), rows: unique(node.children.map(toRow)) });
}

function toRow(node: Node): Typed {
  const { key, source } = node.attrs as { key: string | null; source: Typed | null };
  return written(node, () => rewritten(source ?? { _type: "tableRow" }, { _key: key ?? newKey(), cells: unique(node.children.map(toCell)) }));
}

function toCell(node: Node): Typed {
  const { key, isHeader, source } = node.attrs as CellAttributes;
  return written(node, () => {
    const before = { children: (source?.content ?? []) as Typed[], definitions: (source?.markDefs ?? []) as Typed[] };
    const { children, definitions } = toSpans(node.content, before);
    const markDefs = definitions.length > 0 || source?.markDefs ? definitions : null;
    return rewritten(source ?? { _type: "tableCell" }, { _key: key ?? newKey(), content: children, markDefs, isHeader: isHeader || source?.isHeader !== undefined ? isHeader : null });
  });
}

/** Each with a key of its own: whatever was copied comes second. */
function unique(items: Typed[]): Typed[] {
  const keys = new Set<string>();
  return items.map((item) => {
    const { _key } = item;
    const isFree = _key !== undefined && !keys.has(_key);
    const key = isFree ? _key : newKey();
    keys.add(key);
    return isFree ? item : { ...item, _key: key };
  });
}

/** An object with some members anew: in the places where they were, the others behind them, and without those that are null. */
function rewritten(source: Typed, members: Record<string, unknown>): Typed {
  const known = Object.entries(source).filter(([name]) => members[name] !== null);
  const old = known.map(([name, value]) => [name, name in members ? members[name] : value]);
  const more = Object.entries(members).filter(([name, value]) => value !== null && !(name in source));
  return Object.fromEntries([...old, ...more]) as Typed;
}
