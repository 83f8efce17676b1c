// Each block has a key of its own, and so has each row and each cell: Enter copies what a block is, and so does pasting.

import type { Node } from "prosemirror-model";
import { Plugin, type Transaction } from "prosemirror-state";

import { object, type ObjectAttributes } from "./schema";
import { isTyped, newKey } from "./value";

/** On a transaction: it brings what somebody else made, whose keys are not ours to mend. */
export const FOREIGN = "foreign";

/** Gives new keys to whatever has none, and to whatever comes second with its key. */
export function uniqueKeys(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (!transactions.some((transaction) => transaction.docChanged && !transaction.getMeta(FOREIGN))) return null;
      const transaction = state.tr.setMeta("addToHistory", false);
      mend(state.doc, before.doc, 0, transaction);
      return transaction.docChanged ? transaction : null;
    },
  });
}

/** Mends what a node holds, which begins at a position. What is the same as before is in order. */
function mend(parent: Node, before: Node | null, begins: number, transaction: Transaction): void {
  const seen = new Set<string>();
  parent.forEach((node, offset, n) => {
    const position = begins + offset;
    const key = keyOf(node);
    if (typeof key === "string" && key !== "" && !seen.has(key)) seen.add(key);
    else rekey(node, position, transaction);
    const was = before?.maybeChild(n) ?? null;
    if (node !== was && !node.isTextblock && !node.isLeaf) mend(node, was?.type === node.type ? was : null, position + 1, transaction);
  });
}

function keyOf(node: Node): unknown {
  if (node.type !== object) return node.attrs.key;
  const { value } = node.attrs as ObjectAttributes;
  return isTyped(value) ? value._key : undefined;
}

function rekey(node: Node, position: number, transaction: Transaction): void {
  if ("key" in node.attrs) transaction.setNodeAttribute(position, "key", newKey());
  // What is no block at all is kept as it is.
  else if (isTyped(node.attrs.value)) transaction.setNodeAttribute(position, "value", { ...node.attrs.value, _key: newKey() });
}
