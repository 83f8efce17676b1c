// What is copied and what is pasted. Our own copies carry their blocks with them, so that nothing is lost on the way.

import { Fragment, Slice, type Node } from "prosemirror-model";
import { TextSelection, type EditorState } from "prosemirror-state";

import { toBlock, fromBlock } from "../convert";
import { table, tableCell, tableRow, textBlock } from "../schema";
import type { Typed } from "../value";

/** The name under which blocks travel. */
export const BLOCKS = "application/x-portable-text";

interface Parcel {
  blocks: Typed[];
  /** Whether the first and the last are parts of a text. */
  open: [boolean, boolean];
}

/** What is selected, as blocks. */
export function selected(state: EditorState): Parcel {
  const { selection } = state;
  const slice = inside(selection.content());
  const nodes = outOfTables(slice.content);
  const { $from, $to } = selection;
  // A whole heading is a heading wherever it is put; a part of one is words.
  const isWhole = $from.parent !== $to.parent || ($from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size && $from.parent.attrs.style !== "normal");
  const isWords = selection instanceof TextSelection;
  const isOpen = (node: Node | undefined, depth: number) => isWords && depth > 0 && node?.isTextblock === true && !(nodes.length === 1 && isWhole);
  return { blocks: nodes.map((node) => toBlock(node)), open: [isOpen(nodes[0], slice.openStart), isOpen(nodes.at(-1), slice.openEnd)] };
}

/** What is selected within one container is what it holds, without the container. */
function inside(slice: Slice): Slice {
  const only = slice.content.childCount === 1 ? slice.content.firstChild : null;
  if (!only || only.isTextblock || only.isLeaf || slice.openStart < 2 || slice.openEnd < 2) return slice;
  return inside(new Slice(only.content, slice.openStart - 1, slice.openEnd - 1));
}

/** Rows are a table, and cells a row of one; a single cell is text. */
function outOfTables(content: Fragment): Node[] {
  const [first] = content.content;
  if (first?.type === tableRow) return [table.create(null, content)];
  if (first?.type !== tableCell) return [...content.content];
  return content.childCount === 1 ? [textBlock.create(null, first.content)] : [table.create(null, tableRow.create(null, content))];
}

export function pack({ blocks, open }: Parcel): string {
  return JSON.stringify({ blocks, open });
}

/** The blocks of a parcel, if it is one. */
export function unpack(text: string): Slice | null {
  try {
    const { blocks, open } = JSON.parse(text) as Partial<Parcel>;
    if (!Array.isArray(blocks) || !Array.isArray(open)) return null;
    const nodes = blocks.map((block) => fromBlock(block));
    return new Slice(Fragment.from(nodes), open[0] ? 1 : 0, open[1] ? 1 : 0);
  } catch {
    return null;
  }
}
