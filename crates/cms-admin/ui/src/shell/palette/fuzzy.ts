// Finds what people mean by a few letters.

import { fold } from "~/lib/fold";

/** How exactly a text has to have what was typed: every word of it, or only its letters in their order. */
export type Exactness = "words" | "letters";

/** How well a text fits what was typed: 0 for not at all. The begins of words and runs of letters weigh more. */
export function score(text: string, typed: string, by: Exactness = "letters"): number {
  const [folded, words] = [fold(text), fold(typed).split(/\s+/).filter(Boolean)];
  const scores = words.map((word) => scoreWord(folded, word) || (by === "letters" ? scoreLetters(folded, word) : 0));
  if (scores.length === 0 || scores.includes(0)) return 0;
  // What is called so is meant before what only begins so.
  const whole = folded === words.join(" ") ? 1 : 0;
  return scores.reduce((sum, score) => sum + score, 1 + whole);
}

function scoreWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 100;
  if (at < 0) return 0;
  return isStart(text, at) ? 80 : 50;
}

function scoreLetters(text: string, word: string): number {
  let found = 0;
  let from = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from);
    // Letters that are far apart are no longer what somebody meant, unless a word begins there.
    if (next === -1 || (next - from > 3 && !isStart(text, next))) return 0;
    found += isStart(text, next) ? 5 : next === from ? 3 : 1;
    from = next + 1;
  }
  return found;
}

function isStart(text: string, at: number): boolean {
  return at === 0 || /[\s\-/.(“«"'’]/.test(text[at - 1] ?? "");
}
