import { expect, it, vi } from "vitest";

import { AT_ONCE, withEach } from "./several";

it("has no more requests under way than it may, and lets none be held up by one that fails", async () => {
  let [now, most] = [0, 0];
  const onProgress = vi.fn();
  const items = Array.from({ length: 23 }, (_, n) => n);
  const outcome = await withEach(
    items,
    async (item) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, item % 3));
      now--;
      if (item % 5 === 0) throw new Error("refused");
      return item * 2;
    },
    { onProgress, signal: new AbortController().signal },
  );
  expect(most).toBe(AT_ONCE);
  expect(outcome.failed.map(({ item }) => item).sort((a, b) => a - b)).toEqual([0, 5, 10, 15, 20]);
  expect(outcome.done).toHaveLength(18);
  expect(onProgress).toHaveBeenLastCalledWith(23);
});

it("begins nothing more once it was stopped, and says what is left", async () => {
  const stop = new AbortController();
  const outcome = await withEach([...Array(10).keys()], async (item) => { await Promise.resolve(); if (item === 2) stop.abort(); }, { onProgress: () => undefined, signal: stop.signal });
  expect(outcome.done.length + outcome.left.length).toBe(10);
  expect(outcome.left.length).toBeGreaterThan(0);
});
