import { expect, it } from "vitest";

import type { Entry } from "~/api/types";

import { MOST_IDS, namedBy, stillSelected, TooMany } from "./named";

const entry = (id: string, version = 1) => ({ id, version }) as Entry;
const rows = (...ids: string[]) => new Map(ids.map((id) => [id, entry(id)]));

it("rows that were ticked are named one by one, each as it was shown last", () => {
  const selection = { kind: "these", rows: rows("a", "b") } as const;
  const shown = [entry("b", 2), entry("c", 3)];
  expect(namedBy({ selection, question: { status: "draft" }, shown })).toEqual({ ids: ["a", "b"], versions: { a: 1, b: 2 } });
});

it("all that match are found by the list’s own question, and not by what was loaded", () => {
  const question = { status: "draft" as const, dateField: "updatedAt" as const, dateFrom: "2026-01-01T00:00:00Z", fieldFilters: '{"pages":{"gte":100}}' };
  const selection = { kind: "all" as const, total: 100_000, except: rows() };
  expect(namedBy({ selection, question, shown: [] })).toEqual({
    versions: {},
    filter: { status: "draft", dateField: "updatedAt", dateFrom: "2026-01-01T00:00:00Z", fieldFilters: { pages: { gte: 100 } } },
  });
  expect(namedBy({ selection, question: {}, shown: [] })).toEqual({ versions: {}, filter: { fieldFilters: {} } });
});

it("all but some are found by the question too, with those that are left", () => {
  const selection = { kind: "all" as const, total: 100_000, except: rows("b", "c") };
  expect(namedBy({ selection, question: { locale: "de" }, shown: [] })).toEqual({ versions: {}, filter: { locale: "de", fieldFilters: {}, except: ["b", "c"] } });
});

it("more than can be named are refused before anything is changed", () => {
  const many = rows(...Array.from({ length: MOST_IDS + 1 }, (_, n) => String(n)));
  expect(() => namedBy({ selection: { kind: "these", rows: many }, question: {}, shown: [] })).toThrow(TooMany);
  expect(() => namedBy({ selection: { kind: "all", total: undefined, except: many }, question: {}, shown: [] })).toThrow(TooMany);
});

it("what failed stays selected", () => {
  const failedItems = [{ id: "b", item: "Moby Dick", message: "locked", code: "ENTRY_LOCKED" }];
  expect(stillSelected({ kind: "these", rows: rows("a", "b") }, { failedItems })).toEqual([entry("b")]);
});
