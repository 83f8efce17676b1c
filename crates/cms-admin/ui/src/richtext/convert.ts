// Portable Text into the editor and back, without losing anything. `origins.ts` says how.

import type { Node } from "prosemirror-model";

import { fromContainer, isContainer, toContainer } from "./containers";
import { made, remember, remembered, rewritten, written } from "./origins";
import { callout, code, columns, object, schema, table, textBlock, toggle, type ObjectAttributes, type TextAttributes } from "./schema";
import { fromSpans, toSpans } from "./spans";
import { fromTable, isTable, toTable } from "./tables";
import { isTextBlock, isTyped, newKey, type Blocks, type Typed } from "./value";

/** The document of a value. Where there is none, there is a paragraph to write in. */
export function toDocument(value: Blocks | null | undefined): Node {
  const blocks = value ?? [];
  const nodes = blocks.length === 0 ? [textBlock.create({ key: newKey() })] : blocks.map((block) => fromBlock(block));
  const document = schema.nodes.doc.create(null, nodes);
  remember(document, value);
  return document;
}

/** The value of a document. */
export function toValue(document: Node): Blocks | null | undefined {
  const known = remembered(document);
  if (known) return known.value as Blocks | null | undefined;
  return isBlank(document) ? [] : document.children.map(toBlock);
}

/** Whether nothing is written: there is one paragraph, which the editor made, and it is empty. */
export function isBlank(document: Node): boolean {
  const first = document.firstChild;
  if (document.childCount !== 1 || first?.type !== textBlock || first.childCount > 0) return false;
  const { style, listItem, source } = first.attrs as TextAttributes;
  return (style === "normal" || style === null) && listItem === null && source === null;
}

/** The node of a block, which may be in others. */
export function fromBlock(block: Typed, depth = 0): Node {
  // A program may have written anything among the blocks.
  if (!isTyped(block)) return object.create({ value: block });
  return made(read(block, depth), block);
}

function read(block: Typed, depth: number): Node {
  if (isTextBlock(block)) return fromTextBlock(block);
  if (isCode(block)) return fromCode(block);
  if (isTable(block)) return fromTable(block);
  if (isContainer(block, depth)) return fromContainer(block, depth, fromBlock);
  return object.create({ value: block });
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
    case callout:
    case toggle:
    case columns:
      return toContainer(node, toBlock);
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
