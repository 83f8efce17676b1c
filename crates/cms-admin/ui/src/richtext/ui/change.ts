// How the controls of a node change it.

import { NodeSelection, TextSelection, type Transaction } from "prosemirror-state";
import type { KeyboardEvent } from "react";

import { emptyText } from "../commands";
import { selectedAt, update } from "../selected";
import { useEditor } from "./context";
import type { Shown } from "./views";

/** Sets members of the block that a control belongs to. */
export function useChange(shown: Shown): (members: Record<string, unknown>) => void {
  const controller = useEditor();
  return (members) => {
    const position = shown.position();
    if (position === undefined || controller.isReadOnly) return;
    controller.view.dispatch(update(controller.state.tr, position, members));
  };
}

/** The same for the block that is selected, wherever it is by then. */
export function useChangeSelected(): (members: Record<string, unknown>) => void {
  const controller = useEditor();
  return (members) => {
    const at = selectedAt(controller.state);
    if (at && !controller.isReadOnly) controller.view.dispatch(update(controller.state.tr, at.position, members));
  };
}

/** Enter and Escape lead from the controls of a block to another place. */
function useWayOut(shown: Shown, lead: (transaction: Transaction, position: number, key: string) => Transaction): (event: KeyboardEvent) => void {
  const controller = useEditor();
  return (event) => {
    const position = shown.position();
    if (position === undefined || event.nativeEvent.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    controller.view.dispatch(lead(controller.state.tr, position, event.key));
    controller.view.focus();
  };
}

/** Enter and Escape lead from the controls of a block into its text. */
export function useEnter(shown: Shown): (event: KeyboardEvent) => void {
  return useWayOut(shown, (transaction, position) => transaction.setSelection(TextSelection.near(transaction.doc.resolve(position + 1))));
}

/** The same for a block without text: Enter goes on behind it, and Escape to the block as a whole. */
export function useLeave(shown: Shown): (event: KeyboardEvent) => void {
  return useWayOut(shown, (transaction, position, key) => {
    const { doc } = transaction;
    const behind = position + (doc.nodeAt(position)?.nodeSize ?? 0);
    return key === "Enter" ? emptyText(transaction, behind) : transaction.setSelection(NodeSelection.create(doc, position));
  });
}
