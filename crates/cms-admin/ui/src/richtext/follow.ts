// The caret is followed by the key that moves it.
//
// ProseMirror follows a caret of which the browser tells within 50 milliseconds of the key. A busy browser tells later, and the caret would stay out of sight.

import { Plugin } from "prosemirror-state";

/** For how long after a key a caret that moves was moved by it, in milliseconds. */
const BY_KEY = 1_000;

export function followedByKey(): Plugin {
  let pressedAt = -Infinity;
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: () => {
          pressedAt = performance.now();
          return false;
        },
        pointerdown: () => {
          pressedAt = -Infinity;
          return false;
        },
      },
    },
    appendTransaction(transactions, _, state) {
      const moved = transactions.some((one) => one.selectionSet && !one.docChanged && !one.scrolledIntoView && one.getMeta("pointer") === undefined);
      return moved && performance.now() - pressedAt < BY_KEY ? state.tr.scrollIntoView() : null;
    },
  });
}
