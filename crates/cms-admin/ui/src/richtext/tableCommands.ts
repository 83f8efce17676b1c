// What is done to tables besides what the library does: rows that name the columns.

import type { Node } from "prosemirror-model";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { addColumnAfter, addColumnBefore, addRowAfter, goToNextCell, isInTable } from "prosemirror-tables";

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
    nameColumns(transaction, at.position, isHeader);
    dispatch(transaction);
  }
  return true;
};

function nameColumns(transaction: Transaction, table: number, isHeader: boolean): void {
  transaction.doc.nodeAt(table)?.firstChild?.forEach((cell, offset) => {
    if (cell.attrs.isHeader !== isHeader) transaction.setNodeAttribute(table + 2 + offset, "isHeader", isHeader);
  });
}

/** Where the first row names the columns, it names a new one too. */
const named =
  (add: Command): Command =>
  (state, dispatch) =>
    add(
      state,
      dispatch &&
        ((transaction) => {
          const at = tableAround(state);
          if (at && hasHeaderRow(state)) nameColumns(transaction, at.position, true);
          dispatch(transaction);
        }),
    );

export const columnBefore = named(addColumnBefore);
export const columnAfter = named(addColumnAfter);

/** On to the next cell, and behind the last one to a new row: whoever fills in a table goes on writing, and does not land in the next field. */
export const nextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!addRowAfter(state, dispatch)) return false;
  if (view) goToNextCell(1)(view.state, dispatch);
  return true;
};
