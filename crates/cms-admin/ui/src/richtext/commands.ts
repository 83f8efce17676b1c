// What keys and buttons do to blocks of text.

import type { Node } from "prosemirror-model";
import { TextSelection, type Command, type EditorState, type Transaction } from "prosemirror-state";

import { DECORATOR_TAGS } from "./dom";
import { callout, decorator, schema, tableCell, textBlock, toggle, type TextAttributes } from "./schema";

/** The deepest level that the server takes. */
const MAX_LEVEL = 100;

interface At {
  node: Node;
  position: number;
}

/** The blocks of text that are selected, wholly or in part. */
export function selectedTexts({ doc, selection }: EditorState): At[] {
  const found: At[] = [];
  for (const { $from, $to } of selection.ranges) {
    doc.nodesBetween($from.pos, $to.pos, (node, position) => {
      if (node.type !== textBlock) return !node.isTextblock;
      found.push({ node, position });
      return false;
    });
  }
  return found;
}

/** The attributes of a block. */
export const attributesOf = (node: Node): TextAttributes => node.attrs as TextAttributes;

/** Whether all letters that are selected have a decorator, or what is typed next. */
export function hasDecorator(state: EditorState, name: string): boolean {
  const mark = decorator.create({ name });
  const { $from, empty, ranges } = state.selection;
  if (empty) return mark.isInSet(state.storedMarks ?? $from.marks());
  let [all, some] = [true, false];
  for (const { $from, $to } of ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, _, parent) => {
      if (!node.isText || !parent?.type.allowsMarkType(decorator)) return;
      some = true;
      all &&= mark.isInSet(node.marks);
    });
  }
  return some && all;
}

/** Sets a decorator on all letters that are selected, or takes it off if all have it. */
export function toggleDecorator(name: string): Command {
  return (state, dispatch) => {
    const mark = decorator.create({ name });
    const { selection } = state;
    if (!takesMarks(state)) return false;
    const isOn = hasDecorator(state, name);
    const transaction = state.tr;
    if (selection.empty) {
      dispatch?.(isOn ? transaction.removeStoredMark(mark) : transaction.addStoredMark(mark));
      return true;
    }
    for (const { $from, $to } of selection.ranges) {
      if (isOn) transaction.removeMark($from.pos, $to.pos, mark);
      else transaction.addMark($from.pos, $to.pos, mark);
    }
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Whether there is text in the selection that can have marks. */
export function takesMarks({ doc, selection }: EditorState): boolean {
  if (selection.empty) return selection.$from.parent.inlineContent && selection.$from.parent.type.allowsMarkType(decorator);
  return selection.ranges.some(({ $from, $to }) => {
    let can = false;
    doc.nodesBetween($from.pos, $to.pos, (node) => {
      can ||= node.inlineContent && node.type.allowsMarkType(decorator);
      return !can;
    });
    return can;
  });
}

/** Changes some attributes of the blocks of text that are selected. */
function change(state: EditorState, dispatch: ((transaction: Transaction) => void) | undefined, how: (attributes: TextAttributes, at: At) => Partial<TextAttributes> | null): boolean {
  const changes = selectedTexts(state).flatMap((at) => {
    const attributes = how(attributesOf(at.node), at);
    return attributes ? [{ ...at, attributes }] : [];
  });
  if (changes.length === 0) return false;
  if (dispatch) {
    const transaction = state.tr;
    for (const { node, position, attributes } of changes) transaction.setNodeMarkup(position, null, { ...node.attrs, ...attributes });
    dispatch(transaction.scrollIntoView());
  }
  return true;
}

/** Makes blocks paragraphs, headings or quotations. */
export function setStyle(style: string): Command {
  return (state, dispatch) => change(state, dispatch, () => ({ style, listItem: null, level: null }));
}

/** Makes blocks items of a list, or paragraphs if all are already. */
export function toggleList(listItem: string): Command {
  return (state, dispatch) => {
    const isOn = selectedTexts(state).every(({ node }) => attributesOf(node).listItem === listItem);
    return change(state, dispatch, ({ level }) => (isOn ? { listItem: null, level: null } : { listItem, level: level ?? 1, style: "normal" }));
  };
}

export function setAlignment(textAlign: string | null): Command {
  return (state, dispatch) => change(state, dispatch, () => ({ textAlign }));
}

const levelOf = ({ level }: TextAttributes): number => (typeof level === "number" ? level : 1);

/** One level deeper: at most one below the item before. */
export const indent: Command = (state, dispatch) => {
  const [first] = selectedTexts(state);
  if (!first || attributesOf(first.node).listItem === null) return false;
  const before = state.doc.resolve(first.position).nodeBefore;
  const deepest = before?.type === textBlock && attributesOf(before).listItem !== null ? levelOf(attributesOf(before)) + 1 : 1;
  // What cannot go deeper is no reason to leave the editor.
  if (levelOf(attributesOf(first.node)) >= deepest) return true;
  return change(state, dispatch, (attributes) => (attributes.listItem === null ? null : { level: Math.min(levelOf(attributes) + 1, MAX_LEVEL) }));
};

/** One level up. What is on the first level stays a list. */
export const outdent: Command = (state, dispatch) => change(state, dispatch, (attributes) => (attributes.listItem !== null && levelOf(attributes) > 1 ? { level: levelOf(attributes) - 1 } : null));

/** What an item becomes that is left: one of the level above, and then a paragraph. */
function lifted(attributes: TextAttributes): Partial<TextAttributes> | null {
  if (attributes.listItem !== null) return levelOf(attributes) > 1 ? { level: levelOf(attributes) - 1 } : { listItem: null, level: null };
  return attributes.style === "normal" || attributes.style === null ? null : { style: "normal" };
}

/** Backspace at the beginning of an item, a heading or a quotation: it becomes a paragraph. */
export const liftAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.parent.type !== textBlock) return false;
  return change(state, dispatch, lifted);
};

/** Enter in an item or a quotation without words ends it. */
export const liftEmpty: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== textBlock || $from.parent.content.size > 0) return false;
  return change(state, dispatch, lifted);
};

/** Enter in an empty paragraph at the end of a callout or a toggle goes on behind it. */
export const leaveContainer: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.depth < 2 || $from.parent.type !== textBlock || $from.parent.content.size > 0) return false;
  const holder = $from.node(-1);
  if ((holder.type !== callout && holder.type !== toggle) || holder.childCount < 2 || $from.index(-1) < holder.childCount - 1) return false;
  if (dispatch) {
    const block = $from.parent;
    const transaction = state.tr.delete($from.before(), $from.after());
    const behind = transaction.mapping.map($from.after(-1));
    transaction.insert(behind, block);
    dispatch(transaction.setSelection(TextSelection.create(transaction.doc, behind + 1)).scrollIntoView());
  }
  return true;
};

/** Enter: what comes after is a new block. A heading is followed by a paragraph. */
export const split: Command = (state, dispatch) => {
  const { selection } = state;
  if (!(selection instanceof TextSelection) || selection.$from.parent.type !== textBlock) return false;
  if (!dispatch) return true;
  const transaction = state.tr.deleteSelection();
  const $at = transaction.selection.$from;
  const block = $at.parent;
  if (block.type !== textBlock) return false;
  const { style, listItem, level, textAlign } = attributesOf(block);
  const next = { style, listItem, level, textAlign };
  const marks = state.storedMarks ?? $at.marks();
  if ($at.parentOffset === 0 && block.content.size > 0) {
    // The words keep their key: what is new is the empty block before them.
    transaction.insert($at.before(), textBlock.create(next));
  } else {
    const isEnd = $at.parentOffset === block.content.size;
    const isHeading = typeof style === "string" && /^h\d$/.test(style);
    transaction.split($at.pos, 1, [{ type: textBlock, attrs: isEnd && isHeading ? { ...next, style: "normal" } : next }]);
    if (isEnd) transaction.setStoredMarks(marks.filter((mark) => mark.type === decorator));
  }
  dispatch(transaction.scrollIntoView());
  return true;
};

/** A line break within a block. */
export const breakLine: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if (!$from.parent.inlineContent || !$from.sameParent($to)) return false;
  dispatch?.(state.tr.replaceSelectionWith(schema.text("\n", state.storedMarks ?? $from.marks()), false).scrollIntoView());
  return true;
};

/** Enter in a cell: cells have no blocks. */
export const breakLineInCell: Command = (state, dispatch) => (state.selection.$from.parent.type === tableCell ? breakLine(state, dispatch) : false);

/** The caret in an empty paragraph that begins at a position, which is made where there is none. */
export function emptyText(transaction: Transaction, at: number): Transaction {
  const next = transaction.doc.resolve(at).nodeAfter;
  if (next?.type !== textBlock || next.content.size > 0) transaction.insert(at, textBlock.create());
  return transaction.setSelection(TextSelection.create(transaction.doc, at + 1)).scrollIntoView();
}

/** On to an empty paragraph behind what is selected and has no text, or behind a block of code or a table. */
export const paragraphAfter: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if ($from.parent.type === textBlock) return false;
  const depth = $from.depth > 0 ? $from.depth : 0;
  const position = depth > 0 ? $to.after(1) : $to.pos;
  dispatch?.(emptyText(state.tr, position));
  return true;
};

/** Takes all decorators off what is selected. Links and what nobody here knows stay. */
export const clearMarks: Command = (state, dispatch) => {
  const { selection } = state;
  if (!takesMarks(state)) return false;
  const transaction = state.tr;
  if (selection.empty) dispatch?.(transaction.setStoredMarks((state.storedMarks ?? selection.$from.marks()).filter((mark) => mark.type !== decorator)));
  else {
    for (const { $from, $to } of selection.ranges) {
      for (const name of Object.keys(DECORATOR_TAGS)) transaction.removeMark($from.pos, $to.pos, decorator.create({ name }));
    }
    dispatch?.(transaction);
  }
  return true;
};
