// Which files a place takes. Types are named one by one (`image/png`) or all of a kind (`image/`), as the rules of a field do.

export type Kind = "image" | "video" | "audio" | "document";

export const KINDS: Kind[] = ["image", "video", "audio", "document"];

/** What the types of a kind begin with. */
const BEGINNINGS: Record<Kind, string[]> = { image: ["image/"], video: ["video/"], audio: ["audio/"], document: ["application/", "text/"] };

/** The longest list of types that the server takes in a question, in characters. */
const MAX_QUESTION = 1_000;

/** Whether a type is among those allowed. Nothing named is everything allowed. */
export function allows(allowed: readonly string[], type: string): boolean {
  const asked = type.toLowerCase();
  return allowed.length === 0 || allowed.some((one) => one.toLowerCase() === asked || (one.endsWith("/") && asked.startsWith(one.toLowerCase())));
}

/** The kinds of which something is allowed. */
export function kindsOf(allowed: readonly string[]): Kind[] {
  return KINDS.filter((kind) => allowed.length === 0 || common(allowed, BEGINNINGS[kind]).length > 0);
}

/** What the library is asked for: the types of a kind, or of all kinds, as far as they are allowed. Undefined asks for everything. */
export function typesAsked(allowed: readonly string[], kind?: Kind): string | undefined {
  const types = kind ? common(allowed, BEGINNINGS[kind]) : [...allowed];
  if (types.length === 0) return undefined;
  const text = types.join(",");
  if (text.length <= MAX_QUESTION) return text;
  // A list that is too long to ask is asked by its beginnings; what is not allowed among the answers cannot be chosen.
  return [...new Set(types.map((type) => type.slice(0, type.indexOf("/") + 1)))].join(",");
}

/** The same for the browser's own dialog. */
export function accepted(allowed: readonly string[]): string {
  return allowed.map((type) => (type.endsWith("/") ? `${type}*` : type)).join(",");
}

/** What is in both lists. */
function common(allowed: readonly string[], beginnings: string[]): string[] {
  if (allowed.length === 0) return beginnings;
  const pairs = allowed.flatMap((type) => beginnings.map((beginning) => [type.toLowerCase(), beginning] as const));
  return [...new Set(pairs.flatMap(([type, beginning]) => (type.startsWith(beginning) ? [type] : beginning.startsWith(type) ? [beginning] : [])))];
}
