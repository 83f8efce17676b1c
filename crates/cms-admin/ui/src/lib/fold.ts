// Texts as people type them who look for something: without case and accents.

/** Letters that are no other letter with an accent, and that people type in another way. */
const TYPED: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", ı: "i", þ: "th" };

/** Without case and accents. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}ـ]/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłıþ]/g, (letter) => TYPED[letter] ?? letter);
}
