// What nodes and marks look like on the page. Styles and positions are the style sheet's.

import type { DOMOutputSpec, Mark, Node } from "prosemirror-model";

import { isLinkAddress } from "./address";
import { isTyped, type Typed } from "./value";

/** The elements of the decorators that the server knows. */
export const DECORATOR_TAGS: Record<string, string> = {
  strong: "strong",
  em: "em",
  underline: "u",
  "strike-through": "s",
  subscript: "sub",
  superscript: "sup",
  code: "code",
};

const STYLE_TAGS: Record<string, string> = { normal: "p", h1: "h1", h2: "h2", h3: "h3", h4: "h4", h5: "h5", h6: "h6", blockquote: "blockquote" };

/** How deep a list is shown; deeper levels are kept and look like this one. */
const SHOWN_LEVELS = 9;

export function textBlockToDOM(node: Node): DOMOutputSpec {
  const { style, listItem, level, textAlign, source } = node.attrs as { style: unknown; listItem: string | null; level: unknown; textAlign: unknown; source: Typed | null };
  const tag = typeof style === "string" ? STYLE_TAGS[style] : style === null ? "p" : undefined;
  const start = typeof source?.listStart === "number" ? source.listStart : null;
  return [
    listItem === null ? (tag ?? "p") : "p",
    {
      // Each block runs in the direction of its own words.
      dir: "auto",
      ...(tag ? {} : { "data-unknown-style": String(style) }),
      ...(listItem === null ? {} : { "data-list": listItem, "data-level": String(shownLevel(level)) }),
      ...(typeof textAlign === "string" ? { "data-align": textAlign } : {}),
      ...(start !== null && listItem === "number" ? { style: `counter-set: level-${shownLevel(level)} ${Math.trunc(start)}` } : {}),
    },
    0,
  ];
}

function shownLevel(level: unknown): number {
  return typeof level === "number" ? Math.min(Math.max(Math.trunc(level), 1), SHOWN_LEVELS) : 1;
}

export function cellToDOM(node: Node): DOMOutputSpec {
  return [node.attrs.isHeader === true ? "th" : "td", { dir: "auto" }, 0];
}

/** What nobody knows, until something better shows it: its type. */
export function objectToDOM(tag: "div" | "span"): (node: Node) => DOMOutputSpec {
  return (node) => [tag, { class: `rt-object rt-object-${tag}`, contenteditable: "false" }, typeName(node.attrs.value)];
}

/** What something says that it is. */
export function typeName(value: unknown): string {
  return isTyped(value) && value._type !== "" ? value._type : "?";
}

export function decoratorToDOM(mark: Mark): DOMOutputSpec {
  const name = mark.attrs.name as string;
  const tag = DECORATOR_TAGS[name];
  return tag ? [tag, 0] : ["span", { class: "rt-mark", "data-mark": name, title: name }, 0];
}

export function annotationToDOM(mark: Mark): DOMOutputSpec {
  const { _type, href, title } = mark.attrs.definition as Typed;
  if (_type !== "link") return ["span", { class: "rt-annotation", "data-mark": _type, title: _type }, 0];
  return ["a", { ...(isLinkAddress(href) ? { href, rel: "noopener noreferrer" } : { class: "rt-wrong-link" }), ...(typeof title === "string" ? { title } : {}) }, 0];
}
