import { expect, it, vi } from "vitest";

import type { Entry } from "~/api/types";

import { inBulk, type Progress } from "./bulk";

const entry = (id: string) => ({ id }) as Entry;
const ids = (entries: Entry[]) => entries.map(({ id }) => id);
const these = (...ids: string[]) => ({ kind: "these" as const, rows: new Map(ids.map((id) => [id, entry(id)])) });
const never = () => Promise.reject(new Error("no page is needed"));

it("what fails keeps nothing else from being done, and is told with its reason", async () => {
  const seen: Progress[] = [];
  const problem = new Error("refused");
  const { succeeded, failed, left } = await inBulk({
    selection: these("a", "b", "c"),
    page: never,
    perform: ({ id }) => (id === "b" ? Promise.reject(problem) : Promise.resolve()),
    signal: new AbortController().signal,
    onProgress: (progress) => seen.push(progress),
  });
  expect([ids(succeeded), ids(left)]).toEqual([["a", "c"], []]);
  expect(failed).toEqual([{ entry: entry("b"), error: problem }]);
  expect(seen.at(-1)).toEqual({ done: 3, total: 3, failed: 1 });
});

it("one is done after the other, and none more after it was stopped", async () => {
  const controller = new AbortController();
  let [running, most] = [0, 0];
  const { succeeded, left } = await inBulk({
    selection: these("a", "b", "c", "d"),
    page: never,
    perform: async ({ id }) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (id === "b") controller.abort();
    },
    signal: controller.signal,
    onProgress: () => undefined,
  });
  expect([ids(succeeded), ids(left), most]).toEqual([["a", "b"], ["c", "d"], 1]);
});

it("all that match are looked for before the first is changed, but for those that were taken out", async () => {
  const pages: Record<string, { items: Entry[]; nextCursor?: string }> = { "": { items: [entry("a"), entry("b")], nextCursor: "2" }, "2": { items: [entry("c")] } };
  const perform = vi.fn(() => Promise.resolve());
  const page = vi.fn((cursor: string | undefined) => {
    expect(perform).not.toHaveBeenCalled();
    return Promise.resolve(pages[cursor ?? ""] ?? { items: [] });
  });
  const { succeeded } = await inBulk({
    selection: { kind: "all", total: 3, except: new Map([["b", entry("b")]]) },
    page,
    perform,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect([ids(succeeded), page.mock.calls.length]).toEqual([["a", "c"], 2]);
});
