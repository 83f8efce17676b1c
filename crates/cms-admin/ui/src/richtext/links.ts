// Links in text: where they are, and how they are made, changed and taken off.

import type { Mark, ResolvedPos } from "prosemirror-model";
import { TextSelection, type EditorState, type Transaction } from "prosemirror-state";

import { annotation, schema } from "./schema";
import { newKey, type Typed } from "./value";

/** A link and the words that it lies on. */
export interface LinkAt {
  from: number;
  to: number;
  definition: Typed;
}

/** What a link says besides its type. */
export interface LinkMembers {
  href: string;
  title?: string | undefined;
  blank?: boolean | undefined;
  /** The entry that is meant, whatever its address becomes. `href` is the address that it had. */
  reference?: { collection: string; id: string } | undefined;
}

const isLink = (mark: Mark): boolean => mark.type === annotation && (mark.attrs.definition as Typed)._type === "link";

/** The link that the caret is in, or that the selection begins in. */
export function linkAt({ selection }: EditorState): LinkAt | null {
  const { $from, empty } = selection;
  if (!$from.parent.inlineContent) return null;
  const marks = empty ? [...($from.nodeBefore?.marks ?? []), ...($from.nodeAfter?.marks ?? [])] : ($from.nodeAfter?.marks ?? []);
  const mark = marks.find(isLink);
  return mark ? around($from, mark) : null;
}

/** All words around a place that have a mark. */
function around($at: ResolvedPos, mark: Mark): LinkAt | null {
  const { parent } = $at;
  const has = (n: number) => n >= 0 && n < parent.childCount && mark.isInSet(parent.child(n).marks);
  let first = has($at.index()) ? $at.index() : $at.index() - 1;
  if (!has(first)) return null;
  let last = first;
  while (has(first - 1)) first -= 1;
  while (has(last + 1)) last += 1;
  return { from: $at.posAtIndex(first), to: $at.posAtIndex(last + 1), definition: mark.attrs.definition as Typed };
}

function definitionOf(old: Typed | null, { href, title, blank, reference }: LinkMembers): Typed {
  const members = Object.entries(old ?? { _type: "link", _key: newKey() }).filter(([name]) => !["title", "blank", "reference"].includes(name));
  return { ...(Object.fromEntries(members) as Typed), href, ...(title ? { title } : {}), ...(blank ? { blank: true } : {}), ...(reference ? { reference } : {}) };
}

/** Changes a link, or makes the selected words one. Where nothing is selected, its address or its title becomes the words. */
export function setLink(state: EditorState, link: LinkMembers, at: LinkAt | null = linkAt(state), words?: string): Transaction {
  const transaction = state.tr;
  const definition = definitionOf(at?.definition ?? null, link);
  const mark = annotation.create({ definition });
  let { from, to } = at ?? state.selection;
  if (from === to) {
    transaction.replaceWith(from, to, schema.text(words ?? link.href, [mark]));
    to = transaction.mapping.map(to);
    return transaction.setSelection(TextSelection.create(transaction.doc, to)).removeStoredMark(annotation);
  }
  ({ from, to } = at ?? trimmed(state, from, to));
  removeLinks(transaction, from, to);
  return transaction.addMark(from, to, mark);
}

/** Without the spaces at the ends of what was selected. */
function trimmed(state: EditorState, from: number, to: number): { from: number; to: number } {
  const text = state.doc.textBetween(from, to, "\n", "\uFFFC");
  if (text.trim() === "" || text.length !== to - from) return { from, to };
  return { from: from + (text.length - text.trimStart().length), to: to - (text.length - text.trimEnd().length) };
}

function removeLinks(transaction: Transaction, from: number, to: number): void {
  const found = new Set<Mark>();
  transaction.doc.nodesBetween(from, to, (node) => {
    for (const mark of node.marks) if (isLink(mark)) found.add(mark);
  });
  for (const mark of found) transaction.removeMark(from, to, mark);
}

/** Takes the links off what is selected, or the one that the caret is in. */
export function unlink(state: EditorState): Transaction {
  const at = linkAt(state);
  const { from, to, empty } = state.selection;
  const transaction = state.tr;
  removeLinks(transaction, empty ? (at?.from ?? from) : Math.min(from, at?.from ?? from), empty ? (at?.to ?? to) : Math.max(to, at?.to ?? to));
  return transaction;
}

/** A pasted address: the selected words become a link to it, or it stands there as one. */
export function linkTo(state: EditorState, href: string): Transaction {
  const { $from, $to } = state.selection;
  const canLink = $from.parent.inlineContent && $from.sameParent($to) && $from.parent.type.allowsMarkType(annotation);
  if (!canLink) return state.tr.insertText(href);
  return setLink(state, { href }, null);
}
