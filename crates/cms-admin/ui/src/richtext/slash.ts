// The slash: typed at the beginning of a block or behind a space, it asks what to put in.

import { Plugin, PluginKey, type EditorState, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

import { textBlock } from "./schema";

/** What was typed behind a slash, and where. */
export interface Asked {
  from: number;
  to: number;
  query: string;
}

interface State {
  asked: Asked | null;
  /** Where a slash stands that was meant as one. */
  dismissed: number | null;
}

const KEY = new PluginKey<State>("slash");
const NOTHING: State = { asked: null, dismissed: null };

/** What somebody asks for at the moment. */
export const askedBy = (state: EditorState): Asked | null => KEY.getState(state)?.asked ?? null;

/** What to do with keys while there is something to choose. Answers whether the key was used. */
export const keys: { handle: ((event: KeyboardEvent) => boolean) | null } = { handle: null };

function look(state: EditorState): Asked | null {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== textBlock) return null;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, undefined, "\uFFFC");
  // Names may have several words.
  const match = /(?:^|\s)\/([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]*){0,3}|)$/u.exec(before);
  if (!match) return null;
  const query = match[1] ?? "";
  return { from: $from.pos - query.length - 1, to: $from.pos, query };
}

export function slash(): Plugin<State> {
  return new Plugin<State>({
    key: KEY,
    state: {
      init: () => NOTHING,
      apply(transaction, before, _old, state) {
        if (transaction.getMeta(KEY) === "dismiss") return { asked: null, dismissed: before.asked?.from ?? null };
        const asked = look(state);
        if (!asked) return NOTHING;
        const dismissed = before.dismissed === null ? null : transaction.mapping.map(before.dismissed);
        if (dismissed === asked.from) return { asked: null, dismissed };
        // A slash that was there before is not asked by whoever passes by.
        const isOpen = before.asked !== null || (transaction.docChanged && asked.query === "" && !transaction.getMeta("paste") && typed(transaction));
        return { asked: isOpen ? asked : null, dismissed: null };
      },
    },
    props: {
      handleKeyDown: (view, event) => askedBy(view.state) !== null && (keys.handle?.(event) ?? false),
    },
  });
}

/** Whether a transaction only puts a letter in. */
function typed(transaction: Transaction): boolean {
  let size = 0;
  for (const map of transaction.mapping.maps) map.forEach((from, to, newFrom, newTo) => (size += newTo - newFrom - (to - from)));
  return size === 1;
}

export function dismiss(view: EditorView): void {
  view.dispatch(view.state.tr.setMeta(KEY, "dismiss"));
}
