// Words where nothing is written yet.

import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

import { textBlock } from "./schema";

export function placeholder(words: () => string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc }) {
        const first = doc.firstChild;
        if (doc.childCount !== 1 || first?.type !== textBlock || first.childCount > 0 || first.attrs.listItem !== null) return null;
        return DecorationSet.create(doc, [Decoration.node(0, first.nodeSize, { class: "rt-empty", "data-placeholder": words() })]);
      },
    },
  });
}
