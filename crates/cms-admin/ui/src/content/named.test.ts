import { expect, it, vi } from "vitest";

import type { Entry } from "~/api/types";

import { MOST_IDS, namedBy, stillSelected, TooMany } from "./named";

const entry = (id: string) => ({ id }) as Entry;
const rows = (...ids: string[]) => new Map(ids.map((id) => [id, entry(id)]));
const never = () => Promise.reject(new Error("no page is needed"));

it("rows that were ticked are named one by one", async () => {
  expect(await namedBy({ selection: { kind: "these", rows: rows("a", "b") }, question: { status: "draft" }, page: never })).toEqual({ ids: ["a", "b"] });
});

it("all that match are found by the list’s own question, and not by what was loaded", async () => {
  const question = { status: "draft" as const, dateField: "updatedAt" as const, dateFrom: "2026-01-01T00:00:00Z", fieldFilters: '{"pages":{"gte":100}}' };
  const selection = { kind: "all" as const, total: 100_000, except: rows() };
  expect(await namedBy({ selection, question, page: never })).toEqual({
    filter: { status: "draft", dateField: "updatedAt", dateFrom: "2026-01-01T00:00:00Z", fieldFilters: { pages: { gte: 100 } } },
  });
  expect(await namedBy({ selection, question: {}, page: never })).toEqual({ filter: { fieldFilters: {} } });
});

it("all but some are named one by one, over pages", async () => {
  const pages: Record<string, { items: Entry[]; nextCursor?: string }> = { "": { items: [entry("a"), entry("b")], nextCursor: "2" }, "2": { items: [entry("c")] } };
  const page = vi.fn((cursor: string | undefined) => Promise.resolve(pages[cursor ?? ""] ?? { items: [] }));
  expect(await namedBy({ selection: { kind: "all", total: 3, except: rows("b") }, question: {}, page })).toEqual({ ids: ["a", "c"] });
  expect(page).toHaveBeenCalledTimes(2);
});

it("more than can be named are refused before anything is changed", async () => {
  const many = Array.from({ length: MOST_IDS + 1 }, (_, n) => entry(String(n)));
  const page = () => Promise.resolve({ items: many });
  await expect(namedBy({ selection: { kind: "all", total: undefined, except: rows("x") }, question: {}, page })).rejects.toThrow(TooMany);
  await expect(namedBy({ selection: { kind: "these", rows: rows(...many.map(({ id }) => id)) }, question: {}, page })).rejects.toThrow(TooMany);
});

it("what failed stays selected", () => {
  const failedItems = [{ item: "Moby Dick (b)", message: "locked" }];
  expect(stillSelected({ kind: "these", rows: rows("a", "b") }, { failedItems })).toEqual([entry("b")]);
});
