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

/** A text within rich text; of one that is cut, as far as it goes. */
const SPAN = /"text":"((?:[^"\\]|\\.)*)/g;

/** A value as it is shown: its JSON text, and of rich text the words. */
export function legible(json: string): string {
  if (!json.startsWith('[{"') || !json.includes('"_type":"block"')) return json;
  const words = [...json.matchAll(SPAN)].map(([, text = ""]) => text.replace(/\\(["\\/])/g, "$1").replace(/\\[nrt]/g, " "));
  const text = words.join("").trim();
  return text === "" ? json : `${text}${json.endsWith("…") && !text.endsWith("…") ? "…" : ""}`;
}
