// Moving one item of a list.

/** The list with the item at `from` standing at `to`. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1));
}

/** Where an item stands after it was dropped on another one: before it or behind it. */
export function placeOf(from: number, over: number, isBehind: boolean): number {
  const gap = over + (isBehind ? 1 : 0);
  return gap > from ? gap - 1 : gap;
}
