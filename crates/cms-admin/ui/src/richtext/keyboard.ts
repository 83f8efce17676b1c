// The keys of the editor. `ui/Help.tsx` says them in words.

import { baseKeymap, chainCommands, deleteSelection, exitCode, joinBackward, newlineInCode, selectNodeBackward } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { Plugin, type Command } from "prosemirror-state";
import { goToNextCell } from "prosemirror-tables";

import { deleteBlocks, duplicateBlocks, moveBlocks } from "./blocks";
import { breakLine, breakLineInCell, clearMarks, indent, leaveContainer, liftAtStart, liftEmpty, outdent, paragraphAfter, setStyle, split, toggleDecorator, toggleList } from "./commands";
import { followedByKey } from "./follow";
import { code } from "./schema";
import { nextCell } from "./tableCommands";

const backspace = chainCommands(deleteSelection, liftAtStart, joinBackward, selectNodeBackward);

const indentCode: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type !== code || !state.selection.$from.sameParent(state.selection.$to)) return false;
  dispatch?.(state.tr.insertText("  ").scrollIntoView());
  return true;
};

const KEYS: Record<string, Command> = {
  "Mod-b": toggleDecorator("strong"),
  "Mod-i": toggleDecorator("em"),
  "Mod-u": toggleDecorator("underline"),
  "Mod-Shift-x": toggleDecorator("strike-through"),
  "Mod-e": toggleDecorator("code"),
  "Mod-,": toggleDecorator("subscript"),
  "Mod-.": toggleDecorator("superscript"),
  "Mod-\\": clearMarks,
  "Alt-Shift-ArrowUp": moveBlocks(-1),
  "Alt-Shift-ArrowDown": moveBlocks(1),
  "Mod-d": duplicateBlocks,
  "Mod-Shift-k": deleteBlocks,
  "Mod-Alt-0": setStyle("normal"),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`Mod-Alt-${n}`, setStyle(`h${n}`)])),
  "Mod-Shift-7": toggleList("number"),
  "Mod-Shift-8": toggleList("bullet"),
  "Mod-Shift-9": setStyle("blockquote"),
  "Mod-z": undo,
  "Mod-Shift-z": redo,
  "Mod-y": redo,
  Enter: chainCommands(newlineInCode, breakLineInCell, liftEmpty, leaveContainer, split, paragraphAfter),
  "Shift-Enter": chainCommands(exitCode, breakLine),
  "Mod-Enter": chainCommands(exitCode, paragraphAfter),
  Backspace: backspace,
  "Mod-Backspace": backspace,
  "Shift-Backspace": backspace,
  Tab: chainCommands(nextCell, indentCode, indent),
  "Shift-Tab": chainCommands(goToNextCell(-1), outdent),
};

/** Tab belongs to lists, tables and code; after Escape it leaves the editor, as everywhere else. Whoever came by Tab and did nothing since only passes. */
function leaving(): Plugin {
  let isLeaving = false;
  let isPassing = false;
  return new Plugin({
    view({ dom }) {
      const press = ({ type, key }: Partial<KeyboardEvent>) => (isPassing = type === "keydown" && key === "Tab");
      const { ownerDocument } = dom;
      for (const event of ["keydown", "pointerdown"] as const) ownerDocument.addEventListener(event, press, { capture: true });
      return {
        destroy() {
          for (const event of ["keydown", "pointerdown"] as const) ownerDocument.removeEventListener(event, press, { capture: true });
        },
      };
    },
    props: {
      handleKeyDown(_view, event) {
        if (event.key !== "Shift") isLeaving = event.key === "Escape";
        return false;
      },
      handleDOMEvents: {
        // Before the keys of the editor are asked, and without keeping the browser from moving on.
        keydown: (_view, event) => event.key === "Tab" && isLeaving,
        focus: () => {
          isLeaving = isPassing;
          return false;
        },
        blur: () => {
          isLeaving = false;
          return false;
        },
      },
    },
  });
}

/**
 * Browsers tell where the caret is a moment after it went there, and a key may come sooner: End and Enter, pressed quickly. What the key does would
 * be done where the caret was. Letters need none of this, since the browser writes them where it is.
 */
function abreast(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown(view, { key, ctrlKey, metaKey, isComposing }) {
          if (!isComposing && (key.length > 1 || ctrlKey || metaKey)) view.dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
          return false;
        },
      },
    },
  });
}

export function keyboard(): Plugin[] {
  return [abreast(), leaving(), followedByKey(), keymap(KEYS), keymap(baseKeymap)];
}
