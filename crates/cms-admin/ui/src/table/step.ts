// Where keys lead among rows.

/** How many rows a page key goes. */
const PAGE = 10;

/** Where a key leads from a row. */
export function stepOf(key: string, from: number, count: number, hasLetters: boolean): number | undefined {
  const last = count - 1;
  const to = (index: number) => Math.min(Math.max(index, 0), last);
  if (key === "ArrowDown" || (hasLetters && key.toLowerCase() === "j")) return to(from + 1);
  if (key === "ArrowUp" || (hasLetters && key.toLowerCase() === "k")) return to(from - 1);
  if (key === "PageDown") return to(from + PAGE);
  if (key === "PageUp") return to(from - PAGE);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return undefined;
}
