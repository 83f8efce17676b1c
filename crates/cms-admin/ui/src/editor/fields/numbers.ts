// Numbers as people write them.

/** Digits of other scripts than the Latin one, by the first of each. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6];

/** The number that somebody typed in a language; nothing when it is none. */
export function numberIn(text: string, language: string): number | undefined {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const latin = Array.from(text.trim(), (character) => {
    const code = character.codePointAt(0) ?? 0;
    const zero = ZEROS.find((zero) => code >= zero && code < zero + 10);
    return zero === undefined ? character : String(code - zero);
  });
  const plain = latin
    .join("")
    .replace(decimal, ".")
    .replace("٫", ".")
    .replace("−", "-");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : undefined;
}
