// What code looks like: the tokens of `styles.css`, which reach into shadow roots.

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const look = EditorView.theme({
  "&": { color: "var(--ink)", fontSize: "0.8125rem", maxHeight: "30rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--ink)" },
  ".cm-content, .cm-gutter": { minHeight: "6rem" },
  ".cm-gutters": { background: "var(--surface-sunken)", color: "var(--ink-faint)", border: "none", borderInlineEnd: "1px solid var(--line)" },
  ".cm-placeholder": { color: "var(--ink-faint)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--accent-soft)", outline: "1px solid var(--accent-line)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-tooltip": { background: "var(--surface-raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "0.375rem" },
  ".cm-diagnostic-error": { borderInlineStart: "3px solid var(--bad)" },
});

export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.attributeName], color: "var(--accent-ink)" },
  { tag: [tags.string, tags.attributeValue, tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warn)" },
  { tag: [tags.keyword, tags.tagName, tags.operatorKeyword], color: "var(--accent-ink)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--ink-faint)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--bad)" },
]);
