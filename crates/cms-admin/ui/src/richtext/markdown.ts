// Rich text as Markdown and back. What Markdown cannot say travels as JSON in a fence, or stays as it was where nobody touches it.

import { DefaultHtmlRenderer, DefaultImageRenderer, DefaultTableRenderer, markdownToPortableText, portableTextToMarkdown } from "@portabletext/markdown";
import { compileSchema, defineSchema } from "@portabletext/schema";

import { isSame } from "~/lib/same";

import { isLinkAddress } from "./address";
import { inCell } from "./paste/fromHtml";
import { isSpan, isTextBlock, isTyped, newKey, type Blocks, type Typed } from "./value";

const named = (...names: string[]) => names.map((name) => ({ name }));
const fields = (...names: string[]) => names.map((name) => ({ name, type: "string" as const }));

const schema = compileSchema(
  defineSchema({
    styles: named("normal", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"),
    lists: named("bullet", "number"),
    decorators: named("strong", "em", "code", "strike-through"),
    annotations: [{ name: "link", fields: fields("href", "title") }],
    blockObjects: [
      { name: "code", fields: fields("language", "code") },
      { name: "image", fields: fields("src", "alt", "title") },
      { name: "break" },
      { name: "htmlBlock", fields: fields("html") },
      { name: "callout", fields: [{ name: "tone", type: "string" }, { name: "content", type: "array" }] },
      { name: "table", fields: [{ name: "headerRows", type: "number" }, { name: "rows", type: "array" }] },
    ],
  }),
);

/** A table of the library: its cells hold blocks. */
interface Foreign {
  headerRows?: number | undefined;
  rows: { _key: string; cells: { _key: string; value: Typed[] }[] }[];
}

/** Blocks of a text in Markdown. */
export function fromMarkdown(markdown: string): Typed[] {
  const blocks = markdownToPortableText(markdown, {
    schema,
    keyGenerator: newKey,
    html: { inline: "text" },
    types: {
      horizontalRule: ({ context }) => ({ _type: "break", _key: context.keyGenerator(), style: "lineBreak" }),
      html: ({ context, value }) => ({ _type: "htmlBlock", _key: context.keyGenerator(), html: value.html }),
      image: ({ context, value, isInline }) =>
        isInline || !/^https?:\/\//i.test(value.src) ? undefined : { _type: "image", _key: context.keyGenerator(), asset: { url: value.src }, ...(value.alt ? { alt: value.alt } : {}), ...(value.title ? { caption: value.title } : {}) },
      table: ({ context, value }) => {
        const { headerRows = 0, rows } = value as unknown as Foreign;
        return {
          _type: "table",
          _key: context.keyGenerator(),
          ...(headerRows > 0 ? { hasHeaderRow: true } : {}),
          rows: rows.map(({ _key, cells }, n) => ({
            _type: "tableRow",
            _key,
            cells: cells.map(({ _key, value }) => ({ _type: "tableCell", _key, ...inCell(value), ...(n < headerRows ? { isHeader: true } : {}) })),
          })),
        };
      },
    },
  }) as Typed[];
  return blocks.map(safe);
}

const DECORATORS = new Set(schema.decorators.map(({ name }) => name));

/** Without links that would run something, and without marks of a link that is not there: the library leaves one where a link has no text. */
function safe(block: Typed): Typed {
  if (!isTextBlock(block)) return block;
  const markDefs = (block.markDefs ?? []).filter(({ _type, href }) => _type !== "link" || isLinkAddress(href));
  const known = new Set(markDefs.map(({ _key }) => _key));
  const children = block.children.map((child) => (isSpan(child) ? { ...child, marks: child.marks?.filter((mark) => DECORATORS.has(mark) || known.has(mark)) ?? [] } : child));
  return { ...block, markDefs, children };
}

const list = (value: unknown): Typed[] => (Array.isArray(value) ? (value as Typed[]) : []);

function asForeign(table: Typed): Foreign | null {
  const rows = list(table.rows);
  const isHeader = (row: Typed | undefined) => list(row?.cells).every((cell) => cell.isHeader === true);
  const [first, ...others] = rows;
  if (!first || others.some((row) => list(row.cells).some((cell) => cell.isHeader === true))) return null;
  if ((table.hasHeaderRow === true) !== isHeader(first)) return null;
  return {
    headerRows: table.hasHeaderRow === true ? 1 : 0,
    rows: rows.map((row) => ({
      _key: row._key ?? "",
      cells: list(row.cells).map((cell) => ({ _key: cell._key ?? "", value: [{ _type: "block", style: "normal", markDefs: list(cell.markDefs), children: list(cell.content) }] })),
    })),
  };
}

const fence = (value: unknown) => `\`\`\`json:object\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function render(blocks: Typed[]): string {
  return portableTextToMarkdown(blocks, {
    schema,
    types: {
      break: () => "---",
      htmlBlock: (options) => DefaultHtmlRenderer(options as never),
      image: (options) => {
        const { asset, alt, caption } = options.value as Typed & { asset?: { url?: string } };
        return DefaultImageRenderer({ ...options, value: { _type: "image", src: asset?.url, alt, title: caption } } as never);
      },
      table: (options) => {
        const foreign = asForeign(options.value as Typed);
        return foreign ? DefaultTableRenderer({ ...options, value: { ...(options.value as Typed), ...foreign } } as never) : fence(options.value);
      },
    },
  });
}

/** What a block says, whatever its keys are: to see whether two say the same. */
function meaning(block: unknown): unknown {
  if (Array.isArray(block)) return block.map(meaning);
  if (typeof block !== "object" || block === null) return block;
  const names = new Map(list((block as Typed).markDefs).filter(isTyped).map((definition) => [definition._key, definition]));
  return Object.fromEntries(
    Object.entries(block)
      .filter(([name, value]) => name !== "_key" && name !== "markDefs" && value !== undefined && value !== null && !(name === "level" && value === 1) && !(name === "style" && value === "normal") && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => {
        if (name !== "children" && name !== "content") return [name, meaning(value)];
        // Spans with the same marks are one, and marks are what they mean.
        const spans: { text?: unknown; marks?: unknown[]; [more: string]: unknown }[] = [];
        for (const child of list(value)) {
          if (!isTyped(child) || !isSpan(child)) spans.push(meaning(child) as Record<string, unknown>);
          else {
            const marks = (child.marks ?? []).map((mark) => meaning(names.get(mark) ?? mark)).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
            const last = spans.at(-1);
            if (last && typeof last.text === "string" && isSame(last.marks, marks)) last.text += child.text;
            else if (child.text !== "") spans.push({ text: child.text, marks });
          }
        }
        return [name, spans];
      }),
  );
}

const isAlike = (one: unknown, other: unknown) => isSame(meaning(one), meaning(other));

/** A value in Markdown, and what is needed to take an edit of it back. */
export interface Source {
  markdown: string;
  blocks: Blocks;
  /** What the text says as it is, block by block. */
  said: Typed[];
  /** Which stored block each of them is. */
  origins: Typed[];
}

export function toMarkdown(blocks: Blocks): Source {
  const shown = blocks.filter((block) => !isEmpty(block));
  // What is no text and does not come back as it is goes as JSON; text goes as far as Markdown can say it.
  const carried = shown.map((block) => (comesBack(block) ? block : { _type: "carried", value: block }));
  const markdown = carriedRender(carried);
  const said = fromMarkdown(markdown);
  if (said.length === shown.length) return { markdown, blocks, said, origins: shown };
  // Where blocks run into one another, each that does so goes as JSON.
  const strict = shown.map((block) => (isTyped(block) && isTextBlock(block) && comesBack(block) && fromMarkdown(render([block])).length === 1 ? block : { _type: "carried", value: block }));
  const again = carriedRender(strict);
  return { markdown: again, blocks, said: fromMarkdown(again), origins: shown };
}

/** Whether a block can go as Markdown: text as far as Markdown can say it, everything else only if all of it comes back. */
function comesBack(block: Typed): boolean {
  if (!isTyped(block)) return false;
  // What a program wrote wrongly may be more than the library can take.
  try {
    const said = render([block]);
    return isTextBlock(block) || isAlike(fromMarkdown(said), [block]);
  } catch {
    return false;
  }
}

function carriedRender(blocks: Typed[]): string {
  const pieces: string[] = [];
  let run: Typed[] = [];
  const flush = () => {
    if (run.length > 0) pieces.push(render(run));
    run = [];
  };
  for (const block of blocks) {
    if (block._type === "carried") {
      flush();
      pieces.push(fence(isTyped(block.value) ? block.value : { _type: "_", value: block.value }));
    } else run.push(block);
  }
  flush();
  return pieces.join("\n\n");
}

const isEmpty = (block: Typed) => isTyped(block) && isTextBlock(block) && block.children.every((child) => isSpan(child) && child.text.trim() === "");

/** What becomes of a value when its Markdown is edited. */
export interface Edit {
  blocks: Blocks;
  /** Blocks that were touched and had what Markdown cannot say, which they lose. */
  losses: Typed[];
}

/** The value of an edited text. A block whose words nobody touched is the very block that was stored. */
export function applyMarkdown({ blocks, said, origins }: Source, edited: string): Edit {
  const now = fromMarkdown(edited);
  if (said.length !== origins.length) return { blocks: now, losses: origins };
  const [before, after] = [said.map((block) => JSON.stringify(meaning(block))), now.map((block) => JSON.stringify(meaning(block)))];
  const kept = matched(before, after);
  const used = new Set(kept.values());
  const losses: Typed[] = [];
  const result = now.map((block, n): Typed => {
    const at = kept.get(n);
    if (at !== undefined) return origins[at] as Typed;
    // What was written anew in a place is the block of that place.
    const place = freePlace(kept, used, n, origins.length);
    const old = place === null ? undefined : origins[place];
    if (place === null || !old || !isTyped(old) || old._type !== block._type) return block;
    used.add(place);
    if (!isAlike(said[place], old)) losses.push(old);
    return { ...block, ...(old._key === undefined ? {} : { _key: old._key }) };
  });
  return { blocks: withEmpty(blocks, result), losses };
}

/** The first stored block behind the one before that nothing is made of yet, and before the one that comes after. */
function freePlace(kept: Map<number, number>, used: Set<number>, n: number, length: number): number | null {
  let start = 0;
  for (let before = n - 1; before >= 0; before--) {
    const at = kept.get(before);
    if (at !== undefined) {
      start = at + 1;
      break;
    }
  }
  for (let at = start; at < length && ![...kept.values()].includes(at); at++) if (!used.has(at)) return at;
  return null;
}

/** The longest run of texts that both lists have, as places of the second and of the first. */
function matched(before: string[], after: string[]): Map<number, number> {
  const pairs = new Map<number, number>();
  let [start, ends] = [0, [before.length, after.length] as [number, number]];
  while (start < Math.min(...ends) && before[start] === after[start]) {
    pairs.set(start, start);
    start += 1;
  }
  while (ends[0] > start && ends[1] > start && before[ends[0] - 1] === after[ends[1] - 1]) {
    ends = [ends[0] - 1, ends[1] - 1];
    pairs.set(ends[1], ends[0]);
  }
  let next = start;
  for (let n = start; n < ends[1]; n++) {
    const at = before.indexOf(after[n] ?? "", next);
    if (at < 0 || at >= ends[0]) continue;
    pairs.set(n, at);
    next = at + 1;
  }
  return pairs;
}

/** With the empty paragraphs, which Markdown does not show, before the blocks that they were before. */
function withEmpty(blocks: Blocks, result: Blocks): Blocks {
  const before = new Map<Typed, Typed[]>();
  let run: Typed[] = [];
  for (const block of blocks) {
    if (isEmpty(block)) run.push(block);
    else {
      if (run.length > 0) before.set(block, run);
      run = [];
    }
  }
  return [...result.flatMap((block) => [...(before.get(block) ?? []), block]), ...run];
}
