// Where keys lead in a grid of tiles.

/** How many lines a page key goes. */
const PAGE = 4;

/** Where a key leads from a tile. Lines may run from right to left. */
export function gridStep(key: string, from: number, count: number, columns: number, isRightToLeft: boolean): number | undefined {
  const to = (index: number) => Math.min(Math.max(index, 0), count - 1);
  const onward = isRightToLeft ? "ArrowLeft" : "ArrowRight";
  const back = isRightToLeft ? "ArrowRight" : "ArrowLeft";
  switch (key) {
    case onward:
      return to(from + 1);
    case back:
      return to(from - 1);
    // In the last line, which may be shorter, one ends up at the last tile.
    case "ArrowDown":
      return to(from + columns);
    case "ArrowUp":
      return from < columns ? from : from - columns;
    case "PageDown":
      return to(from + columns * PAGE);
    case "PageUp":
      return to(from - columns * PAGE);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
