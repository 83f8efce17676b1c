// Whether two values of JSON are the same.

/** Whether two values are the same, whatever the order of their members. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((part, n) => isSame(part, other[n]));
  }
  const [ones, others] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = new Set([...Object.keys(ones), ...Object.keys(others)]);
  return [...names].every((name) => isSame(ones[name], others[name]));
}
