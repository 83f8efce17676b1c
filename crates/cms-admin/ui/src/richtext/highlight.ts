// Colours in blocks of code. The highlighter comes when there is code to show, and not for code that nobody reads. Only code that changed is looked at
// again: a long text has many blocks of it, and its writer types between them.

import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, type EditorState } from "prosemirror-state";
import { DecorationSet, type EditorView } from "prosemirror-view";
import type { Parser } from "prosemirror-highlight";

import { patiently } from "~/lib/lazily";

/** Longer code is shown without colours: it would slow down typing. */
const MAX_CODE = 50_000;

/** The highlighter, once it is there. */
let colour: Parser | undefined;
let loading: Promise<void> | undefined;

/** Until it comes, code is shown in one colour. */
async function load(): Promise<void> {
  colour = await patiently(() => import("./colours")).then(
    ({ colours }) => colours,
    () => () => [],
  );
}

const key = new PluginKey<DecorationSet>("colours");

export function highlight(): Plugin {
  return new Plugin({
    key,
    state: {
      init: (_, { doc }) => again(DecorationSet.empty, doc, 0, doc.content.size),
      apply: (tr, coloured) => {
        if (tr.getMeta(key)) return again(coloured, tr.doc, 0, tr.doc.content.size);
        if (!tr.docChanged) return coloured;
        const start = tr.before.content.findDiffStart(tr.doc.content);
        const end = tr.before.content.findDiffEnd(tr.doc.content);
        const mapped = coloured.map(tr.mapping, tr.doc);
        // Where letters repeat, the end may be found in front of the start.
        return start === null || end === null ? mapped : again(mapped, tr.doc, start, Math.max(start, end.b));
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => {
      const fetchFor = (state: EditorState) => {
        if (!colour && hasCode(state.doc)) void (loading ??= load()).then(() => refresh(view));
      };
      fetchFor(view.state);
      return {
        update: (_, before) => {
          if (view.state.doc !== before.doc) fetchFor(view.state);
        },
      };
    },
  });
}

function refresh(view: EditorView) {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true));
}

/** Colours the blocks of code that a part of the text touches. */
function again(coloured: DecorationSet, doc: Node, from: number, to: number): DecorationSet {
  const old = coloured.find(from, to);
  const made: typeof old = [];
  doc.nodesBetween(from, to, (node, pos) => {
    if (!isCode(node)) return !node.isTextblock;
    old.push(...coloured.find(pos, pos + node.nodeSize));
    made.push(...colours(node, pos));
    return false;
  });
  return coloured.remove(old).add(doc, made);
}

function colours(node: Node, pos: number): ReturnType<DecorationSet["find"]> {
  const language = node.attrs["language"] as string | null;
  if (!colour || !language || node.content.size > MAX_CODE) return [];
  const found = colour({ content: node.textContent, language, pos, size: node.nodeSize });
  return Array.isArray(found) ? found : [];
}

function hasCode(doc: Node): boolean {
  let found = false;
  doc.descendants((node) => {
    found ||= isCode(node) && node.attrs["language"] !== null;
    return !found && !node.isTextblock;
  });
  return found;
}

function isCode(node: Node): boolean {
  return node.type.name === "code";
}
