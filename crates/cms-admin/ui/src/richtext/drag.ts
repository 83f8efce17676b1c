// Blocks that are dragged by their handle: several at once where they belong together, which the library does not do.

import type { Node, Slice } from "prosemirror-model";
import { NodeSelection, Plugin, Selection } from "prosemirror-state";
import { dropPoint } from "prosemirror-transform";
import type { EditorView } from "prosemirror-view";

import { object } from "./schema";

interface Dragged {
  doc: Node;
  from: number;
  to: number;
  slice: Slice;
}

let dragged: Dragged | null = null;

export const drag = {
  begin(view: EditorView, what: Dragged): void {
    dragged = what;
    view.dragging = { slice: what.slice, move: true };
  },
  end(view: EditorView): void {
    dragged = null;
    view.dragging = null;
  },
};

export function dragging(): Plugin {
  return new Plugin({
    props: {
      handleDrop(view, event, slice) {
        const moved = dragged;
        dragged = null;
        if (!moved) return false;
        event.preventDefault();
        const { state } = view;
        // Somebody else changed the text meanwhile: what is moved may be elsewhere, so nothing is.
        if (moved.doc !== state.doc) return true;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        const target = at && dropPoint(state.doc, at.pos, slice);
        if (target === null || (target > moved.from && target < moved.to)) return true;
        const transaction = state.tr.delete(moved.from, moved.to);
        const place = transaction.mapping.map(target);
        transaction.insert(place, slice.content);
        const first = slice.content.firstChild;
        transaction.setSelection(first?.type === object ? NodeSelection.create(transaction.doc, place) : Selection.near(transaction.doc.resolve(place + 1)));
        view.dispatch(transaction.setMeta("uiEvent", "drop"));
        view.focus();
        return true;
      },
    },
  });
}
