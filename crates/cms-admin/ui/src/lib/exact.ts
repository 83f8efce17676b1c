// Numbers of JSON that stay what they are in every program. JavaScript, as most, has them as doubles: integers beyond 2^53 - 1 become their neighbours
// there (RFC 8259, section 6).

/** Whether no other number is the same one as a double. */
export function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/** Whether there is a number in a value of JSON that may have been another one before it was read. */
export function hasInexact(value: unknown): boolean {
  if (typeof value === "number") return !isExact(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexact);
}

/** Whether a number that is read and written again means what it meant. */
export function isKept(literal: string): boolean {
  const number = Number(literal);
  return isExact(number) && digitsOf(literal) === digitsOf(String(number));
}

/** A number as its digits, without zeros around them, and the power of ten that they are multiplied with. */
function digitsOf(literal: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  return short === "" ? "0" : `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
