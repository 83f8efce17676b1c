import { expect, it } from "vitest";

import { boardQuestion, calendarQuestion, calendarSearch } from "./question";

it("filters of an address become what the server is asked for", () => {
  expect(boardQuestion("collection.in.posts.pages*locale.is.de*authorId.is.A*updatedAt.atLeast.2026-11-20")).toEqual({
    collections: "posts,pages", locale: "de", authorId: "A", dateFrom: new Date(2026, 10, 20).toISOString(),
  });
  expect(calendarQuestion("collection.is.posts*kind.in.unpublish.publish")).toEqual({ question: { collections: "posts" }, kinds: ["publish", "unpublish"] });
});

it("filters that nobody knows ask for nothing", () => {
  expect([boardQuestion("nonsense.is.1*collection.in"), boardQuestion(undefined)]).toEqual([{}, {}]);
  expect(calendarQuestion("kind.in.nonsense").kinds).toEqual(["publish", "unpublish", "published"]);
});

it("an address says which days are looked at, and nonsense in it is left out", () => {
  expect(calendarSearch({ view: "week", day: "2026-11-25", filter: "locale.is.de" })).toEqual({ view: "week", day: "2026-11-25", filter: "locale.is.de" });
  expect(calendarSearch({ view: "year", day: "2026-13-45", filter: "" })).toEqual({});
});
