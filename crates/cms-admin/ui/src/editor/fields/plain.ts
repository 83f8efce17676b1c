// Values as text that people read: what a search result, a comparison or a count of words has of them.

/** The words of Portable Text, a block a line; what is no text in it is left out. */
export function plainText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map(blockText).filter((text) => text !== "").join("\n");
}

/** The words of one block: of its spans, and of what lies in its members, such as cells of a table. */
export function blockText(block: unknown): string {
  if (typeof block !== "object" || block === null) return "";
  const { children, ...rest } = block as Record<string, unknown>;
  if (Array.isArray(children)) {
    return children.map((child: unknown) => (typeof child === "object" && child !== null && typeof (child as { text?: unknown }).text === "string" ? (child as { text: string }).text : "")).join("");
  }
  return Object.entries(rest)
    .flatMap(([name, part]) => {
      if (Array.isArray(part)) return part.map(blockText);
      return typeof part === "string" && ["text", "caption", "title", "code", "quote"].includes(name) ? [part] : [];
    })
    .filter((text) => text !== "")
    .join(" ");
}
