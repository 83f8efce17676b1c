// The pages of a list behind cursors, as far as they are known: where each begins, and how many rows it has.

/** A page: where it begins (undefined for the first), and its rows; undefined until it was there once. */
export interface Link {
  cursor: string | undefined;
  size: number | undefined;
}

/** The pages that are known. The last one may not have been there yet. */
export type Chain = readonly Link[];

export const START: Chain = [{ cursor: undefined, size: undefined }];

/** The chain after a page has come. Pages behind one that ends elsewhere now begin elsewhere; those behind the last one are gone. */
export function linked(chain: Chain, page: number, size: number, next: string | undefined): Chain {
  const link = chain[page];
  if (!link) return chain;
  const following = chain[page + 1];
  if (link.size === size && following?.cursor === next && (next === undefined) === (following === undefined)) return chain;
  const before = chain.slice(0, page);
  const here = { ...link, size };
  if (next === undefined) return [...before, here];
  // Its size is kept: most likely it has as many rows as before, and what is behind it does not jump.
  return [...before, here, { cursor: next, size: following?.size }, ...chain.slice(page + 2)];
}

/** How many rows are known to be there. */
export function known(chain: Chain): number {
  return chain.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

/** The page that a row is on, and its place there; behind the last row it is the last page. */
export function placeOf(chain: Chain, row: number): { page: number; at: number } {
  let first = 0;
  for (const [page, { size }] of chain.entries()) {
    if (size === undefined || row < first + size) return { page, at: row - first };
    first += size;
  }
  return { page: chain.length - 1, at: row - first + (chain.at(-1)?.size ?? 0) };
}
