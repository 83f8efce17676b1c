// Everything that can be put into a text, for the slash menu, the toolbar and the menu of a block.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import {
  ChevronRight, Code, Columns2, Columns3, FileCode, Heading1, Heading2, Heading3, Heading4, Heading5, Heading6, Image, Info, Link, List, ListOrdered, Minus, MousePointerClick, Pilcrow, Quote, Table,
  type LucideIcon,
} from "lucide-react";
import type { Command } from "prosemirror-state";

import { insertBlock, toCode, wrapBlocks } from "../blocks";
import { paragraphAfter, setStyle, toggleList } from "../commands";
import { newKey } from "../value";

export type Group = "text" | "lists" | "blocks" | "media";

export interface Item {
  id: string;
  label: MessageDescriptor;
  icon: LucideIcon;
  group: Group;
  /** Other names that people look for it by. */
  words: MessageDescriptor;
  /** What to type at the beginning of a line instead. */
  shortcut?: string;
  /** Puts it in, or makes the block with the caret one. */
  run: Command;
  /** Whether blocks that have words can become one. */
  turns?: boolean;
}

export const GROUPS: Record<Group, MessageDescriptor> = { text: msg`Text`, lists: msg`Lists`, blocks: msg`Blocks`, media: msg`Media and embeds` };

const span = () => ({ _type: "span", _key: newKey(), text: "", marks: [] });
const paragraph = () => ({ _type: "block", _key: newKey(), style: "normal", markDefs: [], children: [span()] });
const row = (width: number, isHeader: boolean) => ({
  _type: "tableRow",
  _key: newKey(),
  cells: Array.from({ length: width }, () => ({ _type: "tableCell", _key: newKey(), content: [span()], ...(isHeader ? { isHeader } : {}) })),
});
const columns = (count: number) => ({ _type: "columns", _key: newKey(), columns: Array.from({ length: count }, () => ({ _type: "column", _key: newKey(), content: [paragraph()] })) });
const headings = [Heading1, Heading2, Heading3, Heading4, Heading5, Heading6];
const HEADINGS = [msg`Heading 1`, msg`Heading 2`, msg`Heading 3`, msg`Heading 4`, msg`Heading 5`, msg`Heading 6`];

/** A block that is made anew each time. */
const insert = (make: () => { _type: string; [member: string]: unknown }): Command => (state, dispatch, view) => insertBlock(make())(state, dispatch, view);

export const ITEMS: Item[] = [
  { id: "normal", label: msg`Paragraph`, icon: Pilcrow, group: "text", words: msg`text plain normal body`, run: setStyle("normal"), turns: true },
  ...headings.map((icon, n): Item => ({ id: `h${n + 1}`, label: HEADINGS[n] ?? msg`Heading 1`, icon, group: "text", words: msg`title headline section`, shortcut: `${"#".repeat(n + 1)} `, run: setStyle(`h${n + 1}`), turns: true })),
  { id: "blockquote", label: msg`Quote`, icon: Quote, group: "text", words: msg`blockquote citation`, shortcut: "> ", run: setStyle("blockquote"), turns: true },
  { id: "bullet", label: msg`Bulleted list`, icon: List, group: "lists", words: msg`unordered points bullets`, shortcut: "- ", run: toggleList("bullet"), turns: true },
  { id: "number", label: msg`Numbered list`, icon: ListOrdered, group: "lists", words: msg`ordered numbers steps`, shortcut: "1. ", run: toggleList("number"), turns: true },
  { id: "table", label: msg`Table`, icon: Table, group: "blocks", words: msg`grid rows columns cells`, run: insert(() => ({ _type: "table", _key: newKey(), hasHeaderRow: true, rows: [row(3, true), row(3, false), row(3, false)] })) },
  { id: "code", label: msg`Code block`, icon: Code, group: "blocks", words: msg`program snippet source listing`, shortcut: "``` ", run: toCode, turns: true },
  { id: "callout", label: msg`Callout`, icon: Info, group: "blocks", words: msg`note tip warning info box aside`, run: wrapBlocks("callout"), turns: true },
  { id: "toggle", label: msg`Toggle`, icon: ChevronRight, group: "blocks", words: msg`details accordion fold collapse spoiler faq`, run: wrapBlocks("toggle"), turns: true },
  { id: "columns-2", label: msg`Two columns`, icon: Columns2, group: "blocks", words: msg`layout side by side`, run: insert(() => columns(2)) },
  { id: "columns-3", label: msg`Three columns`, icon: Columns3, group: "blocks", words: msg`layout side by side`, run: insert(() => columns(3)) },
  { id: "button", label: msg`Button`, icon: MousePointerClick, group: "blocks", words: msg`call to action link`, run: insert(() => ({ _type: "button", _key: newKey(), text: "", url: "" })) },
  { id: "break", label: msg`Divider`, icon: Minus, group: "blocks", words: msg`horizontal line rule separator break`, shortcut: "---", run: insert(() => ({ _type: "break", _key: newKey(), style: "lineBreak" })) },
  { id: "image", label: msg`Image`, icon: Image, group: "media", words: msg`picture photo figure`, run: insert(() => ({ _type: "image", _key: newKey(), asset: {}, alt: "" })) },
  { id: "embed", label: msg`Embed`, icon: Link, group: "media", words: msg`video youtube vimeo post social bookmark`, run: insert(() => ({ _type: "embed", _key: newKey(), url: "" })) },
  { id: "htmlBlock", label: msg`HTML`, icon: FileCode, group: "media", words: msg`markup source raw`, run: insert(() => ({ _type: "htmlBlock", _key: newKey(), html: "" })) },
];

/** Puts an item in. In what cannot become one, as a cell or code, it comes behind it: whoever asked for it gets it. */
export const putIn =
  ({ run }: Item): Command =>
  (state, dispatch, view) => {
    if (run(state, dispatch, view)) return true;
    if (!dispatch || !view || !paragraphAfter(state, dispatch)) return false;
    return run(view.state, dispatch, view);
  };

/** The items that a search finds: by the beginning of their names first, then anywhere in what people call them. */
export function found(query: string, translate: (words: MessageDescriptor) => string): Item[] {
  const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const asked = plain(query);
  if (asked === "") return ITEMS;
  const rank = (item: Item) => {
    const label = plain(translate(item.label));
    if (label.startsWith(asked) || item.id === asked) return 0;
    if (label.includes(asked)) return 1;
    return plain(`${translate(item.words)} ${item.id}`).split(/\s+/).some((word) => word.startsWith(asked)) ? 2 : 3;
  };
  return ITEMS.map((item) => ({ item, at: rank(item) }))
    .filter(({ at }) => at < 3)
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
