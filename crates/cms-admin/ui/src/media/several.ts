// Work on many items: one request for each, some at once, and what came of each.

/** How many requests are under way at once: the server has others to serve. */
export const AT_ONCE = 4;

export interface Outcome<Item, Result> {
  done: { item: Item; result: Result }[];
  failed: { item: Item; error: unknown }[];
  /** Those that were not begun since somebody stopped it. */
  left: Item[];
}

interface Working {
  onProgress: (through: number) => void;
  signal: AbortSignal;
}

/** Does something with each of many. What fails holds up none of the others. */
export async function withEach<Item, Result>(items: readonly Item[], deed: (item: Item) => Promise<Result>, { onProgress, signal }: Working): Promise<Outcome<Item, Result>> {
  const outcome: Outcome<Item, Result> = { done: [], failed: [], left: [] };
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (signal.aborted) {
        outcome.left.push(item);
        continue;
      }
      try {
        outcome.done.push({ item, result: await deed(item) });
      } catch (error) {
        outcome.failed.push({ item, error });
      }
      onProgress(outcome.done.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return outcome;
}
