// What is done to tables besides what the library does: rows that name the columns.

import type { Node } from "prosemirror-model";
import type { Command, EditorState } from "prosemirror-state";

import { table } from "./schema";

function tableAround({ selection: { $from } }: EditorState): { node: Node; position: number } | null {
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === table) return { node: $from.node(depth), position: $from.before(depth) };
  return null;
}

/** Whether the first row of the table with the caret names its columns. */
export function hasHeaderRow(state: EditorState): boolean {
  const node = tableAround(state)?.node;
  return node?.attrs.hasHeaderRow === true || (node?.firstChild?.children.every((cell) => cell.attrs.isHeader === true) ?? false);
}

export const toggleHeaderRow: Command = (state, dispatch) => {
  const at = tableAround(state);
  const row = at?.node.firstChild;
  if (!at || !row) return false;
  if (dispatch) {
    const isHeader = !hasHeaderRow(state);
    const transaction = state.tr.setNodeAttribute(at.position, "hasHeaderRow", isHeader);
    row.forEach((cell, offset) => {
      if (cell.attrs.isHeader !== isHeader) transaction.setNodeAttribute(at.position + 2 + offset, "isHeader", isHeader);
    });
    dispatch(transaction);
  }
  return true;
};
