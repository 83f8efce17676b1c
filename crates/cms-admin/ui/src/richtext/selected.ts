// The block that is chosen: what a side panel shows, and how it is changed.

import type { Node } from "prosemirror-model";
import { NodeSelection, type EditorState, type Transaction } from "prosemirror-state";

import { toBlock } from "./convert";
import { callout, code, object, table, textBlock, toggle } from "./schema";
import { isTyped, type Typed } from "./value";

/** A block with what can be set about it. */
export interface SelectedBlock {
  /** The block as it is stored. */
  block: Typed;
  /** Sets members of it; those that are undefined go. */
  update: (members: Record<string, unknown>) => void;
}

/** What each node calls the members that it has as attributes. */
const ATTRIBUTES = new Map([
  [textBlock, ["textAlign", "style", "listItem", "level"]],
  [code, ["language", "filename"]],
  [callout, ["tone"]],
  [toggle, ["title"]],
  [table, ["hasHeaderRow"]],
]);

/** The innermost block with the caret, or the one that is selected as a whole. */
export function selectedAt({ selection }: EditorState): { node: Node; position: number } | null {
  if (selection instanceof NodeSelection && selection.node.isBlock) return { node: selection.node, position: selection.from };
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type === textBlock && depth > 1 && ($from.node(depth - 1).type === callout || $from.node(depth - 1).type === toggle)) continue;
    if (ATTRIBUTES.has(node.type)) return { node, position: $from.before(depth) };
  }
  return null;
}

/** The block of a node, if it is one. */
export function blockOf(node: Node): Typed | null {
  const block: unknown = toBlock(node);
  return isTyped(block) ? block : null;
}

/** Sets members of the block at a position. */
export function update(transaction: Transaction, position: number, members: Record<string, unknown>): Transaction {
  const node = transaction.doc.nodeAt(position);
  if (!node) return transaction;
  if (node.type === object) return isTyped(node.attrs.value) ? transaction.setNodeAttribute(position, "value", merged(node.attrs.value, members)) : transaction;
  const known = ATTRIBUTES.get(node.type) ?? [];
  const attributes = Object.entries(members).filter(([name]) => known.includes(name));
  const others = Object.entries(members).filter(([name]) => !known.includes(name));
  const source = node.attrs.source as Typed | null;
  return transaction.setNodeMarkup(position, null, {
    ...node.attrs,
    ...Object.fromEntries(attributes.map(([name, value]) => [name, value ?? null])),
    ...(others.length > 0 ? { source: merged(source ?? { _type: node.type === textBlock ? "block" : node.type.name }, Object.fromEntries(others)) } : {}),
  });
}

function merged(block: Typed, members: Record<string, unknown>): Typed {
  return Object.fromEntries(Object.entries({ ...block, ...members }).filter(([, value]) => value !== undefined)) as Typed;
}
