// The document of the editor: one node for each block of Portable Text. Lists are attributes, as they are there; what is not known stays as it came.

import { Schema } from "prosemirror-model";

import { annotationToDOM, cellToDOM, decoratorToDOM, DECORATOR_TAGS, objectToDOM, textBlockToDOM } from "./dom";
import type { Typed } from "./value";

/** What a block is besides its text. */
export interface TextAttributes {
  key: string | null;
  style: string | null;
  listItem: string | null;
  level: number | null;
  textAlign: string | null;
  /** The block that it was made from: members that are not named here, their order, the keys of its spans. */
  source: Typed | null;
}

/** A text that has a block or a cell as its origin. */
export interface CellAttributes {
  key: string | null;
  isHeader: boolean;
  source: Typed | null;
}

/** What is kept as it came: among blocks it may be anything that a program wrote there. */
export interface ObjectAttributes {
  value: unknown;
}

export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    text: { group: "inline" },
    textBlock: {
      group: "block",
      content: "inline*",
      // Line breaks within a block are letters of its text.
      whitespace: "pre",
      attrs: {
        key: { default: null },
        style: { default: "normal" },
        listItem: { default: null },
        level: { default: null },
        textAlign: { default: null },
        source: { default: null },
      },
      // What a browser or a phone makes by itself; what is pasted comes another way.
      parseDOM: [{ tag: "p" }, { tag: "div" }],
      toDOM: textBlockToDOM,
    },
    code: {
      group: "block",
      content: "text*",
      marks: "",
      code: true,
      defining: true,
      attrs: { key: { default: null }, language: { default: null }, filename: { default: null }, source: { default: null } },
      toDOM: (node) => ["pre", { dir: "ltr", spellcheck: "false", "data-language": (node.attrs.language as string | null) ?? "" }, ["code", 0]],
    },
    table: {
      group: "block",
      content: "tableRow+",
      tableRole: "table",
      isolating: true,
      attrs: { key: { default: null }, hasHeaderRow: { default: null }, source: { default: null } },
      toDOM: (node) => ["table", node.attrs.hasHeaderRow === true ? { "data-header-row": "" } : {}, ["tbody", 0]],
    },
    tableRow: { content: "tableCell+", tableRole: "row", attrs: { key: { default: null }, source: { default: null } }, toDOM: () => ["tr", 0] },
    tableCell: {
      content: "inline*",
      whitespace: "pre",
      tableRole: "cell",
      isolating: true,
      // The last three are the library's: a cell of Portable Text takes one place, as wide as it comes.
      attrs: { key: { default: null }, isHeader: { default: false }, source: { default: null }, colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
      toDOM: cellToDOM,
    },
    callout: {
      group: "block",
      content: "block+",
      attrs: { key: { default: null }, tone: { default: "note" }, source: { default: null } },
      toDOM: (node) => ["aside", { class: "rt-callout", "data-tone": String(node.attrs.tone) }, 0],
    },
    // The title is no node of its own: what holds other things than blocks cannot be joined with what holds blocks.
    toggle: {
      group: "block",
      content: "block+",
      attrs: { key: { default: null }, title: { default: "" }, source: { default: null } },
      toDOM: (node) => ["div", { class: "rt-toggle" }, ["p", { class: "rt-toggle-title", contenteditable: "false", dir: "auto" }, node.attrs.title as string], ["div", 0]],
    },
    columns: {
      group: "block",
      content: "column+",
      isolating: true,
      attrs: { key: { default: null }, source: { default: null } },
      toDOM: (node) => ["div", { class: "rt-columns", style: `--columns: ${node.childCount}` }, 0],
    },
    column: { content: "block+", isolating: true, attrs: { key: { default: null }, source: { default: null } }, toDOM: () => ["div", { class: "rt-column" }, 0] },
    object: { group: "block", atom: true, draggable: true, attrs: { value: {} }, toDOM: objectToDOM("div") },
    inlineObject: { group: "inline", inline: true, atom: true, attrs: { value: {} }, toDOM: objectToDOM("span") },
  },
  marks: {
    // Two of a kind may lie on the same words, hence they exclude nothing.
    decorator: {
      attrs: { name: {} },
      excludes: "",
      parseDOM: Object.entries(DECORATOR_TAGS).map(([name, tag]) => ({ tag, attrs: { name } })),
      toDOM: decoratorToDOM,
    },
    // A definition goes where its words go.
    annotation: { attrs: { definition: {} }, excludes: "", inclusive: false, toDOM: annotationToDOM },
  },
});

export const { textBlock, code, table, tableRow, tableCell, callout, toggle, columns, column, object, inlineObject } = schema.nodes;
export const { decorator, annotation } = schema.marks;
