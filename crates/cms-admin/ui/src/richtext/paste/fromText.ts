// Plain text into blocks: an empty line ends a paragraph, a single line break stays within it.

import { newKey, type Typed } from "../value";

import { cut } from "./limits";

export function paragraph(text: string): Typed {
  return { _type: "block", _key: newKey(), style: "normal", markDefs: [], children: [{ _type: "span", _key: newKey(), text, marks: [] }] };
}

export function fromText(text: string): Typed[] {
  const paragraphs = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split(/\n[\t ]*\n/);
  return paragraphs.flatMap((words) => {
    // A paragraph whose lines are long as a whole becomes one for each line.
    const lines = words.length > 5_000 ? words.split("\n") : [words];
    return lines.flatMap(cut).map(paragraph);
  });
}

/** Whether a text is written in Markdown: it says so at more than one place, or with what nobody writes otherwise. */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > 200_000) return false;
  const signs = [/^#{1,6} \S/m, /^\s*[-*+] \S/m, /^\s*\d+[.)] \S/m, /^> /m, /\[[^\]\n]+\]\([^)\s]+\)/, /\*\*\S[^*\n]*\*\*/, /(^|\s)_\S[^_\n]*_(\s|$)/m, /`[^`\n]+`/, /^(---|\*\*\*)$/m];
  const sure = [/^```/m, /^\|.+\|\n\|[ :|-]+\|$/m, /^#{2,6} \S.*\n/m];
  return sure.some((sign) => sign.test(text)) || signs.filter((sign) => sign.test(text)).length > 1;
}
