import { expect, it } from "vitest";

import { COLUMNS, moveTo, offersOf, type Able } from "./offers";

const ABLE: Able = { mayPublish: true, canSchedule: true };
const AT = "2026-11-25T09:00:00Z";
const entry = (status: "draft" | "scheduled" | "published", more: { hasDraft?: boolean; scheduledAt?: string; unpublishAt?: string } = {}) => ({
  status, hasDraft: false, scheduledAt: status === "scheduled" ? AT : null, unpublishAt: null, ...more,
});

it("an entry is offered what its state allows", () => {
  expect(offersOf(entry("draft"), ABLE)).toEqual(["publish", "schedule"]);
  expect(offersOf(entry("scheduled"), ABLE)).toEqual(["publish", "schedule", "unschedule", "end"]);
  expect(offersOf(entry("published"), ABLE)).toEqual(["end", "unpublish"]);
  expect(offersOf(entry("published", { hasDraft: true, scheduledAt: AT, unpublishAt: AT }), ABLE)).toEqual(["publish", "schedule", "unschedule", "end", "keep", "unpublish"]);
});

it("nothing is offered to those who may not publish, and no times where a collection has none", () => {
  expect(offersOf(entry("draft"), { ...ABLE, mayPublish: false })).toEqual([]);
  expect(offersOf(entry("scheduled"), { ...ABLE, canSchedule: false })).toEqual(["publish", "unschedule"]);
});

it("a card moves to each other column, but what is public is not scheduled by that", () => {
  const moves = (from: ReturnType<typeof entry>) => COLUMNS.map((column) => moveTo(column, from, offersOf(from, ABLE)));
  expect(moves(entry("draft"))).toEqual([undefined, "schedule", "publish"]);
  expect(moves(entry("scheduled"))).toEqual(["unschedule", undefined, "publish"]);
  expect(moves(entry("published", { hasDraft: true }))).toEqual(["unpublish", undefined, undefined]);
});

it("a card moves nowhere for those who may not publish", () => {
  expect(moveTo("published", entry("draft"), offersOf(entry("draft"), { ...ABLE, mayPublish: false }))).toBeUndefined();
});
