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
