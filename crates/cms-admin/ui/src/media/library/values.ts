// What is said of a file, as a form has it, and what of it the server is sent.

import type { MediaChange, MediaItem } from "~/api/types";
import { isSame } from "~/lib/same";

import type { Point } from "../focal";

/** The texts of one language; empty where there is none. */
export interface Texts {
  alt: string;
  caption: string;
}

export type Values = {
  filename: string;
  alt: string;
  caption: string;
  folderId: string;
  tags: string[];
  focalPoint: Point | null;
  /** Those of other languages than the first. */
  translations: Record<string, Texts>;
};

/** An item as the form shows it; `locales` are the languages beside the first. */
export function valuesOf({ filename, alt, caption, folderId, tags, focalPoint, translations }: MediaItem, locales: readonly string[]): Values {
  const texts = (locale: string): Texts => ({ alt: translations[locale]?.alt ?? "", caption: translations[locale]?.caption ?? "" });
  return { filename, alt: alt ?? "", caption: caption ?? "", folderId: folderId ?? "", tags, focalPoint: focalPoint ?? null, translations: Object.fromEntries(locales.map((locale) => [locale, texts(locale)])) };
}

const text = (value: string) => value.trim() || null;

/** What has to be sent to make of what there is what was typed. */
export function changesOf(before: Values, after: Values): MediaChange {
  const has = (name: keyof Values) => !isSame(before[name], after[name]);
  const translated = Object.entries(after.translations).filter(([locale, texts]) => !isSame(texts, before.translations[locale]));
  return {
    ...(has("filename") ? { filename: after.filename.trim() } : {}),
    ...(has("alt") ? { alt: text(after.alt) } : {}),
    ...(has("caption") ? { caption: text(after.caption) } : {}),
    ...(has("folderId") ? { folderId: after.folderId || null } : {}),
    ...(has("tags") ? { tags: after.tags } : {}),
    ...(has("focalPoint") ? { focalPoint: after.focalPoint } : {}),
    ...(translated.length > 0 ? { translations: Object.fromEntries(translated.map(([locale, { alt, caption }]) => [locale, text(alt) || text(caption) ? { alt: text(alt), caption: text(caption) } : null])) } : {}),
  };
}

/** What both changed since it was read, each in another way; and what comes of the rest. */
export function mergedOf(base: Values, mine: Values, theirs: Values): { values: Values; disputed: string[] } {
  const disputed: string[] = [];
  const one = (path: string, base: unknown, mine: unknown, theirs: unknown): unknown => {
    if (isSame(base, mine) || isSame(mine, theirs)) return theirs;
    if (!isSame(base, theirs)) disputed.push(path);
    return mine;
  };
  const flat = Object.fromEntries((["filename", "alt", "caption", "folderId", "tags", "focalPoint"] as const).map((name) => [name, one(name, base[name], mine[name], theirs[name])])) as unknown as Values;
  const texts = Object.entries(mine.translations).map(([locale, texts]): [string, Texts] => {
    const [was, other] = [base.translations[locale], theirs.translations[locale]];
    const of = (name: keyof Texts) => one(`translations.${locale}.${name}`, was?.[name] ?? "", texts[name], other?.[name] ?? "") as string;
    return [locale, { alt: of("alt"), caption: of("caption") }];
  });
  return { values: { ...flat, translations: Object.fromEntries(texts) }, disputed };
}
