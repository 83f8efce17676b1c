import { expect, it } from "vitest";

import type { AnyEntry } from "~/api/types";

import { split } from "./planned";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const entry = (scheduledAt: string | null) => ({ id: scheduledAt ?? "none", scheduledAt }) as AnyEntry;
const ids = (entries: AnyEntry[]) => entries.map(({ id }) => id);

it("puts what waits by its time, and apart from it what should have been public", () => {
  const { next, late } = split([entry("2026-12-03T08:00:00Z"), entry("2026-11-27T08:00:00Z"), entry("2026-11-29T08:00:00Z"), entry("2026-11-20T08:00:00Z"), entry(null)], NOW);
  expect(ids(next)).toEqual(["2026-11-29T08:00:00Z", "2026-12-03T08:00:00Z"]);
  expect(ids(late)).toEqual(["2026-11-20T08:00:00Z", "2026-11-27T08:00:00Z"]);
});

it("calls nothing late that a server is about to publish", () => {
  expect(split([entry("2026-11-28T11:59:00Z")], NOW).late).toEqual([]);
});
