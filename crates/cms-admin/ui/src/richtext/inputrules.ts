// What is typed as Markdown becomes what it says. Undo, or Backspace right after, makes it letters again.

import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Fragment, Node } from "prosemirror-model";
import { TextSelection, type Plugin } from "prosemirror-state";

import { isLinkAddress } from "./address";
import { textAtEnd } from "./blocks";
import { attributesOf } from "./commands";
import { fromBlock } from "./convert";
import { annotation, code, decorator, schema, textBlock } from "./schema";
import { newKey } from "./value";

/** At the beginning of a paragraph: it becomes another block. */
function block(sign: RegExp, attributes: (match: RegExpMatchArray) => Record<string, unknown>): InputRule {
  return new InputRule(sign, (state, match, start, end) => {
    const { $from } = state.selection;
    if ($from.parent.type !== textBlock || $from.start() !== start) return null;
    const { listItem } = attributesOf($from.parent);
    const next = attributes(match);
    // A number at the beginning of an item is a number.
    if (listItem !== null && next.listItem !== undefined) return null;
    return state.tr.delete(start, end).setNodeMarkup($from.before(), null, { ...$from.parent.attrs, ...next });
  });
}

/** Between two signs: the words get a mark, and the signs go. */
function mark(sign: RegExp, name: string): InputRule {
  return new InputRule(
    sign,
    (state, match, start, end) => {
      const [all, before = "", words = ""] = match;
      const from = start + before.length;
      if (!state.doc.resolve(start).parent.type.allowsMarkType(decorator)) return null;
      const opening = (all.length - before.length - words.length) / 2;
      const transaction = state.tr;
      const { nodes, isPlain } = inside(state.doc.resolve(from).parent.type === textBlock ? state.doc.slice(from + opening, from + opening + words.length).content : null);
      if (!isPlain) return null;
      transaction.replaceWith(from, end, nodes.length > 0 ? nodes.map((node) => node.mark(decorator.create({ name }).addToSet(node.marks))) : schema.text(words, [decorator.create({ name })]));
      return transaction.removeStoredMark(decorator.create({ name }));
    },
  );
}

function inside(content: Fragment | null): { nodes: Node[]; isPlain: boolean } {
  const nodes = content ? [...content.content] : [];
  return { nodes, isPlain: nodes.every((node) => node.isText && !decorator.create({ name: "code" }).isInSet(node.marks)) };
}

const link = new InputRule(/(^|[^!])\[([^\]\n]+)\]\(([^)\s]+)\)$/, (state, match, start, end) => {
  const [, before = "", words = "", href = ""] = match;
  if (!isLinkAddress(href) || !state.doc.resolve(start).parent.type.allowsMarkType(annotation)) return null;
  return state.tr
    .replaceWith(start + before.length, end, schema.text(words, [annotation.create({ definition: { _type: "link", _key: newKey(), href } })]))
    .removeStoredMark(annotation);
});

const divider = new InputRule(/^(?:---|\*\*\*|___)$/, (state, _match, start, end) => {
  const { $from } = state.selection;
  if ($from.parent.type !== textBlock || $from.start() !== start || $from.parent.content.size > end - start) return null;
  const transaction = state.tr.delete(start, end);
  const at = $from.before();
  transaction.insert(at, fromBlock({ _type: "break", _key: newKey(), style: "lineBreak" }));
  return transaction.setSelection(TextSelection.near(transaction.doc.resolve(at + 2)));
});

const fence = new InputRule(/^```([\w+#-]*)\s$/, (state, match, start) => {
  const { $from } = state.selection;
  if ($from.parent.type !== textBlock || $from.start() !== start) return null;
  const language = match[1] ? match[1] : null;
  const words = $from.parent.textContent.slice(match[0].length - 1);
  const at = $from.before();
  const transaction = textAtEnd(state.tr.replaceWith(at, $from.after(), code.create({ key: newKey(), language }, words ? [schema.text(words)] : [])), at);
  return transaction.setSelection(TextSelection.create(transaction.doc, at + 1));
});

export function markdownRules(): Plugin {
  return inputRules({
    rules: [
      block(/^(#{1,6})\s$/, ([, signs = "#"]) => ({ style: `h${signs.length}`, listItem: null, level: null })),
      block(/^>\s$/, () => ({ style: "blockquote", listItem: null, level: null })),
      block(/^[-*+]\s$/, () => ({ listItem: "bullet", level: 1, style: "normal" })),
      block(/^\d{1,4}[.)]\s$/, () => ({ listItem: "number", level: 1, style: "normal" })),
      fence,
      divider,
      mark(/(^|[^*\w])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "strong"),
      mark(/(^|[^_\w])__([^_\s](?:[^_]*[^_\s])?)__$/, "strong"),
      mark(/(^|[^*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "em"),
      mark(/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, "em"),
      mark(/(^|[^~\w])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike-through"),
      mark(/(^|[^`])`([^`]+)`$/, "code"),
      link,
    ],
  });
}
