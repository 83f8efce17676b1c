// Finds what people mean by a few letters.

/** How well a text fits what was typed: 0 for not at all. Letters must come in order; the begins of words and runs of letters weigh more. */
export function score(text: string, typed: string): number {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const scores = words.map((word) => scoreWord(fold(text), word));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 1);
}

function scoreWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 100;
  if (at > 0) return isStart(text, at) ? 80 : 50;
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
  return at === 0 || /[\s\-/.]/.test(text[at - 1] ?? "");
}

/** Without case and accents. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
