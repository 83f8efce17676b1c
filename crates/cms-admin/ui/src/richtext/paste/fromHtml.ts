// HTML into blocks. Word processors say what is bold in attributes that our policy keeps browsers from reading as styles; the library reads the attributes.
// Nothing of a page that could run is ever in the result: blocks are made of what is known, and the page itself is only parsed, never shown.

import { htmlToPortableText, type DeserializerRule, type ObjectMatcher } from "@portabletext/html";
import { createTableRule } from "@portabletext/html/rules";
import { compileSchema, defineSchema } from "@portabletext/schema";

import { isLinkAddress } from "../address";
import { isSpan, isTextBlock, newKey, type TextBlock, type Typed } from "../value";

import { cut, MAX_LINE } from "./limits";

const named = (...names: string[]) => names.map((name) => ({ name }));

const schema = compileSchema(
  defineSchema({
    styles: named("normal", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"),
    lists: named("bullet", "number"),
    // The last ones are the library's names of what we call otherwise.
    decorators: named("strong", "em", "underline", "strike-through", "code", "sup", "sub", "ins"),
    annotations: [{ name: "link", fields: [{ name: "href", type: "string" }] }],
    blockObjects: [
      { name: "code", fields: [{ name: "language", type: "string" }, { name: "code", type: "string" }] },
      { name: "image", fields: [{ name: "src", type: "string" }] },
      { name: "break", fields: [{ name: "style", type: "string" }] },
      { name: "table", fields: [{ name: "headerRows", type: "number" }, { name: "rows", type: "array" }] },
    ],
  }),
);

const OUR_NAMES: Record<string, string> = { sup: "superscript", sub: "subscript", ins: "underline" };

const dividers: DeserializerRule = {
  deserialize: (element, _next, createBlock) => (element.nodeName.toLowerCase() === "hr" ? createBlock({ _type: "break", style: "lineBreak" }) : undefined),
};

/** A block of code that says its language in a class, as most pages do. */
const codes: DeserializerRule = {
  deserialize(element, _next, createBlock) {
    if (element.nodeName.toLowerCase() !== "pre") return undefined;
    const classes = Array.from((element as Element).querySelectorAll("code[class]"), ({ className }) => className).join(" ");
    const language = /\blang(?:uage)?-([\w+#-]+)/.exec(`${(element as Element).className} ${classes}`)?.[1];
    return createBlock({ _type: "code", code: (element.textContent ?? "").replace(/\n$/, ""), ...(language ? { language } : {}) });
  },
};

/** Pictures that are somewhere to be had. Those that are part of the page itself would make it very long. */
const image: ObjectMatcher<{ src?: string; alt?: string }> = ({ context, value: { src, alt }, isInline }) =>
  !isInline && src && /^https?:\/\//i.test(src) ? { _type: "image", _key: context.keyGenerator(), asset: { url: src }, ...(alt ? { alt } : {}) } : undefined;

const code: ObjectMatcher<{ language: string | undefined; code: string }> = ({ context, value, isInline }) =>
  isInline ? undefined : { _type: "code", _key: context.keyGenerator(), code: value.code, ...(value.language ? { language: value.language } : {}) };

export function fromHtml(html: string): Typed[] {
  // Pictures that are written into the page are most of what makes it long.
  const short = html.replace(/\bdata:[^"')\s>]{200,}/g, "");
  const blocks = htmlToPortableText(short, {
    schema,
    keyGenerator: newKey,
    rules: [dividers, codes, createTableRule({ schema, keyGenerator: newKey })],
    whitespaceMode: "normalize",
    types: { image, code },
  }) as Typed[];
  return trimmed(blocks.flatMap(ours));
}

/** A block of the library as the server takes it. */
function ours(block: Typed): Typed[] {
  if (block._type === "table") return [toTable(block)];
  if (!isTextBlock(block)) return [block];
  const text = { ...block, ...cleaned(block) };
  if (text.children.every((child) => !isSpan(child) || child.text.length <= MAX_LINE)) return [text];
  return text.children.flatMap((child) => (isSpan(child) ? cut(child.text).map((part) => ({ ...text, _key: newKey(), children: [{ ...child, text: part }] })) : []));
}

/** Spans and definitions without what a page must not bring along. */
function cleaned({ children, markDefs = [] }: Pick<TextBlock, "children" | "markDefs">): Required<Pick<TextBlock, "children" | "markDefs">> {
  const links = markDefs.filter(({ href }) => isLinkAddress(href));
  const gone = new Set(markDefs.filter((definition) => !links.includes(definition)).map(({ _key }) => _key));
  const spans = children.map((child) => (isSpan(child) ? { ...child, marks: [...new Set((child.marks ?? []).filter((mark) => !gone.has(mark)).map((mark) => OUR_NAMES[mark] ?? mark))] } : child));
  return { children: spans, markDefs: links };
}

interface Foreign {
  headerRows?: number;
  rows: { _key: string; cells: { _key: string; value: Typed[] }[] }[];
}

/** A table whose cells hold blocks, as one whose cells hold text. */
function toTable(block: Typed): Typed {
  const { headerRows = 0, rows } = block as unknown as Foreign;
  return {
    _type: "table",
    _key: block._key ?? newKey(),
    ...(headerRows > 0 ? { hasHeaderRow: true } : {}),
    rows: rows.map(({ _key, cells }, n) => ({
      _type: "tableRow",
      _key,
      cells: cells.map(({ _key, value }) => ({ _type: "tableCell", _key, ...inCell(value), ...(n < headerRows ? { isHeader: true } : {}) })),
    })),
  };
}

/** Blocks as the text of one cell: each on a line of its own. */
export function inCell(blocks: Typed[]): { content: Typed[]; markDefs?: Typed[] } {
  const texts = blocks.filter(isTextBlock).map((block) => ({ block, ...cleaned(block) }));
  const content = texts.flatMap(({ block, children }, n): Typed[] => {
    const before = `${n > 0 ? "\n" : ""}${block.listItem ? "• " : ""}`;
    return [...(before ? [{ _type: "span", _key: newKey(), text: before, marks: [] }] : []), ...children];
  });
  const markDefs = texts.flatMap(({ markDefs }) => markDefs);
  return { content: content.length > 0 ? content : [{ _type: "span", _key: newKey(), text: "", marks: [] }], ...(markDefs.length > 0 ? { markDefs } : {}) };
}

/** Without the empty paragraphs that word processors put around what was selected. */
function trimmed(blocks: Typed[]): Typed[] {
  const isEmpty = (block: Typed) => isTextBlock(block) && block.listItem === undefined && block.children.every((child) => isSpan(child) && child.text.trim() === "");
  const start = blocks.findIndex((block) => !isEmpty(block));
  const end = blocks.findLastIndex((block) => !isEmpty(block));
  return start < 0 ? [] : blocks.slice(start, end + 1);
}
