// Slugs from titles, as the server makes them (`EntrySlug::from_title`).

/** The longest slug that is made from a title, in characters as people count them. */
const LONGEST = 80;

/** The slug of a title; empty where nothing of it can stay. The server then makes one up. */
export function slugFrom(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");
  const characters = [...new Intl.Segmenter().segment(words)].slice(0, LONGEST).map(({ segment }) => segment);
  return characters.join("").replace(/-+$/, "").normalize("NFC");
}

/** A slug with a number behind it. */
export function numbered(slug: string, number: number): string {
  return `${slug}-${number}`;
}

/** Whether a slug is the one of a title, with or without a number: nobody chose it. */
export function isMade(slug: unknown, title: unknown): boolean {
  if (typeof title !== "string" || typeof slug !== "string") return false;
  const made = slugFrom(title);
  return made !== "" && (slug === made || (slug.startsWith(`${made}-`) && /^\d+$/.test(slug.slice(made.length + 1))));
}
