// The part of the exported types that is about one collection.

/** The interface of a collection, out of the text with all of them. Nothing where it is not there. */
export function typesOf(text: string, slug: string): string | undefined {
  const collections = /^export interface Collections \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? "";
  const name = collections
    .split("\n")
    .map((line) => /^ {2}(\w+): EntryOf<(\w+)>;$/.exec(line))
    .find((found) => found?.[1] === slug)?.[2];
  if (!name) return undefined;
  const from = text.indexOf(`\nexport interface ${name} {\n`);
  const to = text.indexOf("\n}\n", from);
  if (from === -1 || to === -1) return undefined;
  // The line above says what it is.
  const above = text.lastIndexOf("\n", from - 1) + 1;
  const described = text.startsWith("/** ", above) ? above : from + 1;
  return `${text.slice(described, to)}\n}\n`;
}
