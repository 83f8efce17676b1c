// Where the arrow keys lead in a grid.

/** The place that a key leads to; undefined for a key that leads nowhere. */
export function step(key: string, from: number, { count, columns, isRtl, page }: { count: number; columns: number; isRtl: boolean; /** Rows on the screen. */ page: number }): number | undefined {
  if (count === 0) return undefined;
  const aside = isRtl ? -1 : 1;
  const steps: Record<string, number> = {
    ArrowRight: from + aside,
    ArrowLeft: from - aside,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    PageDown: from + columns * page,
    PageUp: from - columns * page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  if (to === undefined) return undefined;
  if (from < 0) return 0;
  // From the row before the last, which may be longer, one comes to the last item.
  if (to >= count) return Math.floor(from / columns) < Math.floor((count - 1) / columns) || key === "PageDown" ? count - 1 : from;
  return to < 0 ? (key === "PageUp" ? from % columns : from) : to;
}
