// How the controls of a node change it.

import { NodeSelection, TextSelection } from "prosemirror-state";
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

/** Enter and Escape lead from the controls of a block into its text. */
export function useEnter(shown: Shown): (event: KeyboardEvent) => void {
  const controller = useEditor();
  return (event) => {
    const position = shown.position();
    if (position === undefined || event.nativeEvent.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const { tr, doc } = controller.state;
    controller.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(position + 1))));
    controller.view.focus();
  };
}

/** The same for a block without text: Enter goes on behind it, and Escape to the block as a whole. */
export function useLeave(shown: Shown): (event: KeyboardEvent) => void {
  const controller = useEditor();
  return (event) => {
    const position = shown.position();
    if (position === undefined || event.nativeEvent.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const { tr, doc } = controller.state;
    const behind = position + (doc.nodeAt(position)?.nodeSize ?? 0);
    controller.view.dispatch(event.key === "Enter" ? emptyText(tr, behind) : tr.setSelection(NodeSelection.create(doc, position)));
    controller.view.focus();
  };
}
