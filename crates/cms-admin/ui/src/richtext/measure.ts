// How long a text is, and how it is built: for whoever shows it beside the editor. Nothing here needs the editor itself.

import { isSpan, isTextBlock, isTyped, type Blocks, type Typed } from "./value";

export interface Length {
  words: number;
  characters: number;
  /** Minutes that it takes to read, at least one where there is anything. */
  minutes: number;
}

/** A heading of a text. */
export interface Heading {
  key: string;
  level: number;
  text: string;
}

const WORDS_A_MINUTE = 220;
/** In scripts without spaces between words, letters are what is counted. */
const LETTERS_A_MINUTE = 500;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** What was counted of a block, as long as it is the same block: who types changes one of thousands. */
const counted = new WeakMap<Typed, { words: number; ideographs: number; characters: number }>();
let segmenter: Intl.Segmenter | undefined;

/** The words of a value, counted as its readers would. */
export function lengthOf(value: unknown): Length {
  const blocks = Array.isArray(value) ? (value as Blocks) : [];
  const sum = { words: 0, ideographs: 0, characters: 0 };
  for (const block of blocks) {
    if (!isTyped(block)) continue;
    let known = counted.get(block);
    if (!known) {
      known = count(wordsOf(block));
      counted.set(block, known);
    }
    sum.words += known.words;
    sum.ideographs += known.ideographs;
    sum.characters += known.characters;
  }
  const minutes = (sum.words - Math.min(sum.words, sum.ideographs)) / WORDS_A_MINUTE + sum.ideographs / LETTERS_A_MINUTE;
  return { words: sum.words, characters: sum.characters, minutes: sum.characters === 0 ? 0 : Math.max(1, Math.round(minutes)) };
}

function count(text: string) {
  const ideographs = text.match(IDEOGRAPHS)?.length ?? 0;
  let words = 0;
  if (ideographs === 0) words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*/gu)?.length ?? 0;
  else {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  }
  return { words, ideographs, characters: text.length };
}

const list = (value: unknown): Typed[] => (Array.isArray(value) ? (value as unknown[]).filter(isTyped) : []);
const objects = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? (value as unknown[]).filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null) : []);

/** Everything in a block that is read. */
function wordsOf(block: Typed): string {
  if (isTextBlock(block)) return spans(block.children);
  const inside = [
    ...objects(block.rows).flatMap((row) => objects(row.cells).map((cell) => spans(cell.content))),
    ...objects(block.columns).map((column) => list(column.content).map(wordsOf).join("\n")),
    ...(block._type === "callout" || block._type === "toggle" ? list(block.content).map(wordsOf) : []),
  ];
  return [block.title, block.caption, ...inside].filter((text) => typeof text === "string").join("\n");
}

function spans(children: unknown): string {
  return list(children)
    .map((child) => (isSpan(child) ? child.text : " "))
    .join("");
}

/** The headings of a value, in their order. */
export function outlineOf(value: unknown): Heading[] {
  return list(value).flatMap((block) => {
    const level = isTextBlock(block) && !block.listItem ? /^h([1-6])$/.exec(block.style ?? "")?.[1] : undefined;
    return level && isTextBlock(block) ? [{ key: block._key ?? "", level: Number(level), text: spans(block.children).trim() }] : [];
  });
}
