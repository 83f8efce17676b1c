// What a check says would become of a field's values, added up over its pages.

import type { components } from "~/api/schema";

export type Checked = components["schemas"]["CheckedType"];
export type Example = components["schemas"]["TypeExample"];

export interface Outcome {
  /** How many entries were looked at. */
  entries: number;
  /** How many of them have a value that stays, becomes another one, or would not be shown. */
  same: number;
  converted: number;
  aside: number;
  /** How many would refer to an entry that is not there: as long as there is one, the change is refused. */
  dangling: number;
  convertedExamples: Example[];
  asideExamples: Example[];
  danglingExamples: Example[];
  needsConvert: boolean;
}

export const NOTHING: Outcome = { entries: 0, same: 0, converted: 0, aside: 0, dangling: 0, convertedExamples: [], asideExamples: [], danglingExamples: [], needsConvert: false };

/** As many examples as are shown: enough to see what happens. */
export const EXAMPLES = 5;

/** An outcome with another page of entries. */
export function withPage(before: Outcome, page: Checked): Outcome {
  return {
    entries: before.entries + page.entries,
    same: before.same + page.same,
    converted: before.converted + page.converted,
    aside: before.aside + page.aside,
    dangling: before.dangling + page.dangling,
    convertedExamples: [...before.convertedExamples, ...page.convertedExamples].slice(0, EXAMPLES),
    asideExamples: [...before.asideExamples, ...page.asideExamples].slice(0, EXAMPLES),
    danglingExamples: [...before.danglingExamples, ...page.danglingExamples].slice(0, EXAMPLES),
    needsConvert: before.needsConvert || page.needsConvert,
  };
}

/** How many entries have no value that is shown, before and after. */
export function withoutValue({ entries, same, converted, aside }: Outcome): number {
  return entries - same - converted - aside;
}

/** As much of a value is shown, in characters: enough to tell it from others. */
const SHOWN = 80;

/** A member of a value whose JSON text may be cut, as far as it goes. */
const member = (name: string) => new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.)*)`, "g");

/** The text of a string in JSON without its quotes; one that is cut within an escape stays as it is. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

const short = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN).trimEnd()}…` : text);

/** What names a picture or a file: its name, what is seen on it, or the end of its address. */
function nameOf(json: string): string | undefined {
  const texts = ["filename", "alt", "src"].map((name) => [...json.matchAll(member(name))].map(([, text = ""]) => unescaped(text)).find((text) => text.trim() !== ""));
  const [filename, alt, src] = texts;
  return filename ?? alt ?? src?.replace(/[?#].*$/, "").split("/").findLast((part) => part !== "");
}

/** A value as people read it: of rich text the words, of pictures and files their names, of other values with parts the beginning. */
export function legible(json: string): string {
  if (!/^[[{]/.test(json)) return json;
  const isCut = json.endsWith("…");
  if (json.startsWith("[{") && json.includes('"_type":"block"')) {
    const words = [...json.matchAll(member("text"))].map(([, text = ""]) => unescaped(text)).join("").replaceAll(/\s+/g, " ").trim();
    if (words !== "") return words.length > SHOWN ? short(words) : isCut && !words.endsWith("…") ? `${words}…` : words;
  }
  return short((json.startsWith("{") && nameOf(json)) || json);
}
