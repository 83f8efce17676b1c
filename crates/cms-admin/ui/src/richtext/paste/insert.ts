// Blocks into the document, where the caret is.

import { Fragment, Slice, type Node } from "prosemirror-model";
import { NodeSelection, Selection, type Transaction } from "prosemirror-state";

import { code, schema, tableCell, textBlock } from "../schema";

/** Whether a node is a paragraph whose words can go on with those around them. */
function isPlain(node: Node | null | undefined): boolean {
  return node?.type === textBlock && (node.attrs.style === "normal" || node.attrs.style === null) && node.attrs.listItem === null;
}

/** Puts what was copied in the place of what is selected. */
export function insertSlice(transaction: Transaction, { content, openStart, openEnd }: Slice): Transaction {
  const { parent } = transaction.selection.$from;
  const isPart = content.childCount === 1 && openStart > 0 && openEnd > 0 && parent.inlineContent && parent.type !== code;
  return isPart ? transaction.replaceSelection(new Slice(content.firstChild?.content ?? Fragment.empty, 0, 0)) : insertNodes(transaction, content.content);
}

/** Puts nodes in the place of what is selected, and the caret behind them. */
export function insertNodes(transaction: Transaction, nodes: readonly Node[]): Transaction {
  if (nodes.length === 0) return transaction;
  const { parent } = transaction.selection.$from;
  if (parent.type === code) return transaction.insertText(nodes.map((node) => node.textContent).join("\n"));
  if (parent.type === tableCell) return transaction.replaceSelection(new Slice(inline(nodes), 0, 0));
  if (!transaction.selection.empty && !(transaction.selection instanceof NodeSelection)) transaction.deleteSelection();
  const { $from } = transaction.selection;
  const isEmpty = $from.parent.type === textBlock && $from.parent.content.size === 0;
  const [first, last] = [nodes[0], nodes.at(-1)];
  const single = nodes.length === 1;
  // One paragraph goes on in the words; several bring their own shape into an empty one.
  const openStart = isPlain(first) && $from.parent.inlineContent && (single || !isEmpty) ? 1 : 0;
  const openEnd = isPlain(last) && $from.parent.inlineContent && (openStart === 1 || !single) && !isEmpty ? 1 : single ? openStart : 0;
  if (openStart === 0 && openEnd === 0 && $from.parent.type === textBlock) return insertWhole(transaction, nodes);
  const before = transaction.steps.length;
  transaction.replaceSelection(new Slice(Fragment.from(nodes), openStart, openEnd));
  return caretBehind(transaction, before);
}

/** Whole blocks: in the place of an empty one, before or behind the words, or between them. */
function insertWhole(transaction: Transaction, nodes: readonly Node[]): Transaction {
  const { $from } = transaction.selection;
  const before = transaction.steps.length;
  if ($from.parent.content.size === 0) transaction.replaceWith($from.before(), $from.after(), nodes);
  else if ($from.parentOffset === 0) transaction.insert($from.before(), nodes);
  else if ($from.parentOffset === $from.parent.content.size) transaction.insert($from.after(), nodes);
  else transaction.replaceSelection(new Slice(Fragment.from(nodes), 0, 0));
  return caretBehind(transaction, before);
}

/** The caret at the end of what was put in. */
function caretBehind(transaction: Transaction, since: number): Transaction {
  let end = -1;
  for (const map of transaction.mapping.maps.slice(since)) map.forEach((_from, _to, _newFrom, newTo) => (end = Math.max(end, newTo)));
  return end < 0 ? transaction : transaction.setSelection(Selection.near(transaction.doc.resolve(Math.min(end, transaction.doc.content.size)), -1));
}

/** What blocks say, in one line of text after another. */
function inline(nodes: readonly Node[]): Fragment {
  const parts: Node[] = [];
  nodes.forEach((node, n) => {
    if (n > 0) parts.push(schema.text("\n"));
    if (node.isTextblock) node.forEach((child) => parts.push(child));
    else if (node.textContent !== "") parts.push(schema.text(node.textContent));
  });
  return Fragment.from(parts);
}
