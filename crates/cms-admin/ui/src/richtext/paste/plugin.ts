// Copying, cutting, pasting and dropping. The browser's own way of pasting is never taken: it would read HTML that our policy changes.

import { Plugin, Selection } from "prosemirror-state";
import { handlePaste as pasteCells, isInTable } from "prosemirror-tables";
import type { EditorView } from "prosemirror-view";
import { Slice, Fragment, type Node } from "prosemirror-model";

import { isLinkAddress } from "../address";
import { fromBlock } from "../convert";
import { linkTo } from "../links";
import { code, table, tableCell } from "../schema";
import type { Typed } from "../value";

import { BLOCKS, pack, selected, unpack } from "./clipboard";
import { fromHtml } from "./fromHtml";
import { fromText, looksLikeMarkdown } from "./fromText";
import { insertNodes, insertSlice } from "./insert";
import { MAX_BLOCKS, MAX_HTML, MAX_LINE, MAX_TEXT } from "./limits";
import { toHtml, toText } from "./toHtml";

/** What there is to say about what was pasted. */
export type PasteNews = "tooMuch" | "wordsOnly" | "cut" | "files" | "markdown";

interface Came {
  own: string;
  html: string;
  text: string;
  hasFiles: boolean;
}

function came(data: DataTransfer): Came {
  return { own: data.getData(BLOCKS), html: data.getData("text/html"), text: data.getData("text/plain"), hasFiles: data.files.length > 0 };
}

export function clipboard(say: (news: PasteNews) => void): Plugin {
  /** Whether the words alone are wanted: Shift is held. */
  let isPlain = false;

  const copy = (view: EditorView, event: ClipboardEvent): boolean => {
    if (view.state.selection.empty || !event.clipboardData) return false;
    const parcel = selected(view.state);
    event.preventDefault();
    event.clipboardData.clearData();
    event.clipboardData.setData(BLOCKS, pack(parcel));
    event.clipboardData.setData("text/html", toHtml(parcel.blocks));
    event.clipboardData.setData("text/plain", toText(parcel.blocks));
    if (event.type === "cut" && view.editable) view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta("uiEvent", "cut"));
    return true;
  };

  const put = (view: EditorView, nodes: readonly Node[]): void => {
    if (nodes.length > MAX_BLOCKS) {
      say("tooMuch");
      return;
    }
    const [only] = nodes;
    if (nodes.length === 1 && only?.type === table && isInTable(view.state) && pasteCells(view, new ClipboardEvent("paste"), new Slice(Fragment.from(only), 0, 0))) return;
    view.dispatch(insertNodes(view.state.tr, nodes).scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  };
  const putBlocks = (view: EditorView, blocks: Typed[]): void => put(view, blocks.map((block) => fromBlock(block)));

  const putText = (view: EditorView, text: string): void => {
    if (text.length > MAX_TEXT) {
      say("tooMuch");
      return;
    }
    const { parent } = view.state.selection.$from;
    if (parent.type === code || parent.type === tableCell) {
      view.dispatch(view.state.tr.insertText(text.replace(/\r\n?/g, "\n")).scrollIntoView().setMeta("uiEvent", "paste"));
      return;
    }
    if (text.split("\n").some((line) => line.length > MAX_LINE)) say("cut");
    putBlocks(view, fromText(text));
  };

  const take = (view: EditorView, { own, html, text, hasFiles }: Came, wordsOnly: boolean): void => {
    const isInCode = view.state.selection.$from.parent.type === code;
    const parcel = own && !wordsOnly && !isInCode ? unpack(own) : null;
    if (parcel) {
      if (parcel.content.childCount === 1 && parcel.openStart > 0) view.dispatch(insertSlice(view.state.tr, parcel).scrollIntoView().setMeta("uiEvent", "paste"));
      else put(view, parcel.content.content);
    } else if (wordsOnly || isInCode) putText(view, text);
    else if (isAddress(text) && (!html || !view.state.selection.empty)) view.dispatch(linkTo(view.state, text.trim()).scrollIntoView().setMeta("uiEvent", "paste"));
    else if (html) {
      // A page that is longer than what it says is mostly pictures and styles; they are not worth a page that stands still.
      if (html.replace(/\bdata:[^"')\s>]{200,}/g, "").length > MAX_HTML) {
        say(text.length > MAX_TEXT ? "tooMuch" : "wordsOnly");
        if (text.length <= MAX_TEXT) putText(view, text);
        return;
      }
      const blocks = fromHtml(html);
      if (blocks.length > 0) putBlocks(view, blocks);
      else if (text) putText(view, text);
      else if (hasFiles) say("files");
    } else if (hasFiles) say("files");
    else if (looksLikeMarkdown(text)) {
      void import("../markdown").then(
        ({ fromMarkdown }) => {
          if (view.isDestroyed) return;
          putBlocks(view, fromMarkdown(text));
          say("markdown");
        },
        // Whoever pastes while the server is away has the words at once, as they are.
        () => view.isDestroyed || putText(view, text),
      );
    } else putText(view, text);
  };

  return new Plugin({
    props: {
      handleDOMEvents: {
        keydown: (_view, event) => {
          isPlain = event.shiftKey && event.key.toLowerCase() === "v";
          return false;
        },
        copy,
        cut: copy,
        paste: (view, event) => {
          if (!view.editable || !event.clipboardData) return false;
          event.preventDefault();
          take(view, came(event.clipboardData), isPlain);
          isPlain = false;
          return true;
        },
        drop: (view, event) => {
          // What is moved within the editor is ProseMirror's.
          if (view.dragging || !event.dataTransfer) return false;
          event.preventDefault();
          if (!view.editable) return true;
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
          if (at) {
            view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
          }
          take(view, came(event.dataTransfer), false);
          view.focus();
          return true;
        },
      },
    },
  });
}

/** Whether a text is an address and nothing else. */
function isAddress(text: string): boolean {
  return /^\s*(https?:\/\/|mailto:)\S+\s*$/i.test(text) && isLinkAddress(text.trim());
}
