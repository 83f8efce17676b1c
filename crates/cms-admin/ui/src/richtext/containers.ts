// Blocks that hold blocks: callouts, toggles and columns.

import type { Node } from "prosemirror-model";

import { made, rewritten, unique, written } from "./origins";
import { callout, column, columns, textBlock, toggle } from "./schema";
import { newKey, type Typed } from "./value";

/** How deep blocks may be in one another to be edited there. What is deeper is kept, and shown as one card. */
const MAX_DEPTH = 6;

type FromBlock = (block: Typed, depth: number) => Node;
type ToBlock = (node: Node) => Typed;

/** Whether a block is one of them, and made as we would make it. */
export function isContainer(block: Typed, depth: number): boolean {
  if (depth >= MAX_DEPTH) return false;
  switch (block._type) {
    case "callout":
      return Array.isArray(block.content) && isWord(block.tone);
    case "toggle":
      return Array.isArray(block.content) && isWord(block.title);
    case "columns":
      return Array.isArray(block.columns) && block.columns.length > 0 && block.columns.every(isColumn);
    default:
      return false;
  }
}

const isWord = (value: unknown) => value === undefined || typeof value === "string";

function isColumn(value: unknown): boolean {
  return typeof value === "object" && value !== null && Array.isArray((value as Typed).content);
}

export function fromContainer(block: Typed, depth: number, fromBlock: FromBlock): Node {
  const attributes = { key: block._key ?? null, source: block };
  // Somebody can write where nothing is yet.
  const inside = (content: unknown) => {
    const blocks = (content as Typed[]).map((block) => fromBlock(block, depth + 1));
    return blocks.length > 0 ? blocks : [textBlock.create({ key: newKey() })];
  };
  if (block._type === "callout") return callout.create({ ...attributes, tone: block.tone ?? null }, inside(block.content));
  if (block._type === "toggle") return toggle.create({ ...attributes, title: block.title ?? null }, inside(block.content));
  const parts = (block.columns as Typed[]).map((part) => made(column.create({ key: part._key ?? null, source: part }, inside(part.content)), part));
  return columns.create(attributes, parts);
}

export function toContainer(node: Node, toBlock: ToBlock): Typed {
  const { key, tone, title, source } = node.attrs as { key: string | null; tone?: unknown; title?: unknown; source: Typed | null };
  const _key = key ?? newKey();
  if (node.type === callout) return rewritten(source ?? { _type: "callout" }, { _key, tone, content: blocks(node.children, toBlock) });
  if (node.type === toggle) return rewritten(source ?? { _type: "toggle" }, { _key, title, content: blocks(node.children, toBlock) });
  const parts = node.children.map((part) => {
    const { key, source } = part.attrs as { key: string | null; source: Typed | null };
    return written(part, () => rewritten(source ?? { _type: "column" }, { _key: key ?? newKey(), content: blocks(part.children, toBlock) }));
  });
  return rewritten(source ?? { _type: "columns" }, { _key, columns: unique(parts) });
}

/** What is written there: a paragraph that the editor made to write in, and that is empty, is nothing. */
function blocks(nodes: readonly Node[], toBlock: ToBlock): Typed[] {
  const [first] = nodes;
  const isBlank = nodes.length === 1 && first?.type === textBlock && first.childCount === 0 && first.attrs.source === null && first.attrs.listItem === null;
  return isBlank ? [] : nodes.map(toBlock);
}
