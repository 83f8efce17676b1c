// Slugs of collections and fields, made from what they are called.

/** The longest slug, in characters (`cms-domain/src/slug.rs`). */
const LONGEST = 63;

/** Words that mean something else in an address or in an entry. None of them is suggested; a test holds them to the server's sources. */
export const RESERVED = {
  collection: ["content", "media", "users", "revisions", "taxonomies", "options", "audit_logs", "reorder"],
  field: [
    "id", "slug", "status", "locale", "translation_group", "author_id", "primary_byline_id", "created_at", "updated_at", "published_at", "scheduled_at", "deleted_at",
    "version", "live_revision_id", "draft_revision_id", "terms", "bylines", "byline", "reorder",
  ],
};

/** Letters that are not a plain one with a mark. */
const SPELLED: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

/** The slug of a label: lower-case letters, digits and underscores, with a letter first. Empty where nothing of it can stay. */
export function identifierFrom(label: string): string {
  return label
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}|['’]/gu, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, LONGEST)
    .replace(/_+$/, "");
}

/** A slug that is not taken: the same one, or with a number behind it. */
export function freeIdentifier(slug: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `_${number}`;
    const free = slug.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.includes(free)) return free;
  }
}
