// Tags, as the server compares them.

/** The most tags of an item, and the longest one: as the server has it. */
export const MOST_TAGS = 50;
export const LONGEST_TAG = 50;

/** What two tags that are the same have in common. */
export function keyOf(tag: string): string {
  return tag.normalize("NFKC").toLowerCase();
}

/** What somebody typed as tags: with commas between them. */
export function typedTags(text: string): string[] {
  return text.split(/[,\n]/).map((tag) => tag.trim().replace(/\s+/g, " ")).filter(Boolean);
}

/** Tags with others behind them, each once. */
export function withTags(tags: readonly string[], more: readonly string[]): string[] {
  const keys = new Set(tags.map(keyOf));
  return [...tags, ...more.filter((tag) => !keys.has(keyOf(tag)) && keys.add(keyOf(tag)))];
}

/** Tags without others. */
export function withoutTags(tags: readonly string[], fewer: readonly string[]): string[] {
  const keys = new Set(fewer.map(keyOf));
  return tags.filter((tag) => !keys.has(keyOf(tag)));
}
