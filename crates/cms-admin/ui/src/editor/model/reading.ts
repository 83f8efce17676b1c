// How much there is to read, and what its parts are called.

import type { Values } from "~/editing/merge";

import { blockText, plainText } from "../fields/plain";
import type { Field } from "./values";

/** Words and characters that people read in a minute; the latter of scripts that put no spaces between words. */
const WORDS = 220;
const CHARACTERS = 500;

export interface Reading {
  words: number;
  characters: number;
  minutes: number;
}

export function readingOf(fields: Field[], values: Values): Reading {
  const text = fields
    .map(({ slug, type }) => {
      const value = values[slug];
      if (type === "portableText") return plainText(value);
      return type === "text" && typeof value === "string" ? value : "";
    })
    .join("\n");
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu)?.length ?? 0;
  const spaced = text.match(/(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
  return { words: spaced + unspaced, characters: text.replace(/\s/g, "").length, minutes: Math.round(spaced / WORDS + unspaced / CHARACTERS) };
}

export interface Heading {
  field: string;
  key: string;
  level: number;
  text: string;
  /** How many headings are before it in its field. */
  nth: number;
}

export function headingsOf(fields: Field[], values: Values): Heading[] {
  return fields
    .filter(({ type }) => type === "portableText")
    .flatMap(({ slug }) => {
      const value = values[slug];
      if (!Array.isArray(value)) return [];
      return value
        .flatMap((block: unknown, n): Omit<Heading, "nth">[] => {
          const { style, _key } = (typeof block === "object" && block !== null ? block : {}) as { style?: unknown; _key?: unknown };
          const level = typeof style === "string" ? /^h([1-6])$/.exec(style)?.[1] : undefined;
          return level ? [{ field: slug, key: typeof _key === "string" ? _key : String(n), level: Number(level), text: blockText(block) }] : [];
        })
        .map((heading, nth) => ({ ...heading, nth }));
    });
}
