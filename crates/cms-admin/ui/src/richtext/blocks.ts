// What is done to whole blocks: they are moved, doubled, taken away, turned into others and put in.

import { Fragment, type Node, type ResolvedPos } from "prosemirror-model";
import { NodeSelection, Selection, TextSelection, type Command, type EditorState, type Transaction } from "prosemirror-state";

import { attributesOf, selectedTexts } from "./commands";
import { fromBlock } from "./convert";
import { column, object, tableCell, tableRow, textBlock } from "./schema";
import type { Typed } from "./value";

/** Blocks that stand behind one another, and what holds them. */
export interface Stretch {
  from: number;
  to: number;
  nodes: readonly Node[];
  parent: Node;
  index: number;
}

/** Whether a node holds blocks that can be moved among themselves. */
const holdsBlocks = (node: Node): boolean => !node.isTextblock && node.type !== tableRow && !node.type.spec.tableRole;

/** The blocks that are selected, within the innermost node that holds them all. */
export function selectedBlocks({ selection }: EditorState): Stretch {
  const { $from, $to } = selection;
  if (selection instanceof NodeSelection && selection.node.isBlock) return stretch($from, $from.depth, $from.index(), $from.index() + 1);
  let depth = $from.sharedDepth($to.pos);
  while (depth > 0 && !holdsBlocks($from.node(depth))) depth -= 1;
  return stretch($from, depth, $from.index(depth), Math.max($to.indexAfter(depth), $from.index(depth) + 1));
}

/** The block at a position, with the deeper items that belong to it where it is one of a list. */
export function blockAt(doc: Node, position: number): Stretch {
  const $at = doc.resolve(position);
  return stretch($at, $at.depth, $at.index(), withItems($at.parent, $at.index() + 1));
}

function stretch($at: ResolvedPos, depth: number, first: number, end: number): Stretch {
  const parent = $at.node(depth);
  const nodes = parent.children.slice(first, end);
  const from = $at.posAtIndex(first, depth);
  return { from, to: from + nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0), nodes, parent, index: first };
}

/** The end of what belongs to the block before: the deeper items of its list. */
function withItems(parent: Node, end: number): number {
  const level = itemLevel(parent.maybeChild(end - 1));
  let last = end;
  while (level !== null && (itemLevel(parent.maybeChild(last)) ?? 0) > level) last += 1;
  return last;
}

function itemLevel(node: Node | null): number | null {
  if (node?.type !== textBlock || attributesOf(node).listItem === null) return null;
  return attributesOf(node).level ?? 1;
}

/** Moves the selected blocks one place up or down, among those beside them. */
export function moveBlocks(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const { from, to, nodes, parent, index } = selectedBlocks(state);
    const beside = parent.maybeChild(direction < 0 ? index - 1 : index + nodes.length);
    if (!beside) return false;
    if (dispatch) {
      const { anchor, head } = state.selection;
      const shift = direction * beside.nodeSize;
      const transaction = state.tr;
      if (direction < 0) transaction.delete(from - beside.nodeSize, from).insert(to - beside.nodeSize, beside);
      else transaction.delete(to, to + beside.nodeSize).insert(from, beside);
      const isNode = state.selection instanceof NodeSelection;
      transaction.setSelection(isNode ? NodeSelection.create(transaction.doc, from + shift) : TextSelection.between(transaction.doc.resolve(anchor + shift), transaction.doc.resolve(head + shift)));
      dispatch(transaction.scrollIntoView());
    }
    return true;
  };
}

/** The same blocks once more, behind themselves. */
export const duplicateBlocks: Command = (state, dispatch) => {
  const { from, to, nodes } = selectedBlocks(state);
  if (dispatch) {
    const transaction = state.tr.insert(to, Fragment.from(nodes));
    const { anchor, head } = state.selection;
    const shift = to - from;
    const isNode = state.selection instanceof NodeSelection;
    transaction.setSelection(isNode ? NodeSelection.create(transaction.doc, from + shift) : TextSelection.between(transaction.doc.resolve(anchor + shift), transaction.doc.resolve(head + shift)));
    dispatch(transaction.scrollIntoView());
  }
  return true;
};

export const deleteBlocks: Command = (state, dispatch) => {
  const { from, to, parent, nodes } = selectedBlocks(state);
  if (dispatch) {
    const transaction = state.tr;
    // Where nothing would be left, there is a paragraph to write in.
    if (nodes.length === parent.childCount) transaction.replaceWith(from, to, textBlock.create());
    else transaction.delete(from, to);
    const at = Math.min(from, transaction.doc.content.size);
    dispatch(transaction.setSelection(Selection.near(transaction.doc.resolve(at), 1)).scrollIntoView());
  }
  return true;
};

/** Blocks that were just put in and not looked at yet. */
const PUT_IN = new WeakSet<object>();

/** Whether a block was just put in: said once, to the card that then takes the keyboard. */
export const wasPutIn = (block: object): boolean => PUT_IN.delete(block);

/** Puts a block in: in the place of an empty paragraph, or behind the block with the caret. */
export function insertBlock(block: Typed): Command {
  return (state, dispatch) => {
    const node = fromBlock(block);
    const { $from } = state.selection;
    const isEmpty = $from.parent.type === textBlock && $from.parent.content.size === 0;
    const { to } = selectedBlocks(state);
    const holder = $from.depth > 0 && $from.parent.type === tableCell ? null : $from;
    if (!dispatch) return true;
    PUT_IN.add(block);
    const transaction = state.tr;
    const at = isEmpty && holder ? $from.before() : to;
    if (isEmpty && holder) transaction.replaceWith($from.before(), $from.after(), node);
    else transaction.insert(to, node);
    dispatch(caretIn(transaction, at).scrollIntoView());
    return true;
  };
}

/** A paragraph behind a block that is the last one: fingers and mice cannot go on where nothing is. */
export function textAtEnd(transaction: Transaction, at: number): Transaction {
  const behind = at + (transaction.doc.nodeAt(at)?.nodeSize ?? 0);
  return transaction.doc.resolve(behind).nodeAfter === null ? transaction.insert(behind, textBlock.create()) : transaction;
}

/** The caret in a block, or at all of it where it has no words. */
function caretIn(transaction: Transaction, at: number): Transaction {
  const node = transaction.doc.nodeAt(at);
  if (!node) return transaction;
  textAtEnd(transaction, at);
  return transaction.setSelection(node.type === object ? NodeSelection.create(transaction.doc, at) : TextSelection.near(transaction.doc.resolve(at + 1)));
}

/** Turns the selected blocks of text into something that holds them. */
export function wrapBlocks(type: "callout" | "toggle"): Command {
  return (state, dispatch) => {
    const { from, to, nodes } = selectedBlocks(state);
    const wrap = state.schema.nodes[type];
    if (!wrap || nodes.some((node) => node.type === column)) return false;
    if (dispatch) {
      const transaction = state.tr.replaceWith(from, to, wrap.create(null, nodes));
      dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(state.selection.head + 1))).scrollIntoView());
    }
    return true;
  };
}

/** Takes the blocks out of what holds them. */
export const unwrapBlocks: Command = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type.name !== "callout" && node.type.name !== "toggle") continue;
    if (dispatch) {
      const transaction = state.tr.replaceWith($from.before(depth), $from.after(depth), node.content);
      dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(state.selection.head - 1))).scrollIntoView());
    }
    return true;
  }
  return false;
};

/** Turns blocks of text into a block of code, a line for each. */
export const toCode: Command = (state, dispatch) => {
  const texts = selectedTexts(state);
  const { from, to } = selectedBlocks(state);
  if (texts.length === 0) return false;
  if (dispatch) {
    const node = fromBlock({ _type: "code", code: texts.map(({ node }) => node.textContent).join("\n") });
    const transaction = textAtEnd(state.tr.replaceWith(from, to, node), from);
    dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(from + 1 + node.content.size), -1)).scrollIntoView());
  }
  return true;
};
