import { expect, it } from "vitest";

import type { Collection, ContentField } from "~/api/types";

import { byNewNames, orderOf, questionOf } from "./question";

const field = (slug: string, type: ContentField["type"], ...formerSlugs: string[]) => ({ slug, type, formerSlugs }) as ContentField;
const collection = {
  fields: [field("price", "number"), field("stock", "integer"), field("name", "string"), field("open", "boolean"), field("at", "datetime"), field("tags", "multiSelect"), field("word", "string")],
} as Collection;
const asked = (filter: string) => questionOf({ filter }, collection);
const fieldFilters = (filter: string) => JSON.parse(asked(filter).fieldFilters ?? "null") as unknown;

it("what every entry has is asked for by its own name", () => {
  expect(asked("status.is.draft*authorId.is.01J*locale.is.de")).toEqual({ status: "draft", authorId: "01J", locale: "de" });
});

it("declared fields are asked for with values of their type", () => {
  expect(fieldFilters("price.between.1%2e5.2*stock.atLeast.3*name.is.007*open.is.false*tags.in.a.b*word.contains.x")).toEqual({
    price: { gte: 1.5, lte: 2 },
    stock: { gte: 3 },
    name: "007",
    open: false,
    tags: { in: ["a", "b"] },
    word: { contains: "x" },
  });
});

it("an empty field is asked for as null", () => {
  expect(fieldFilters("name.empty*at.empty")).toEqual({ name: null, at: null });
});

it("a beginning is a range that ends behind every text that has it", () => {
  const { name } = fieldFilters("name.begins.Mo") as { name: { gte: string; lt: string } };
  expect(["Mo", "Moby Dick", "Mo\u{1F433}"].every((text) => text >= name.gte && text < name.lt)).toBe(true);
  expect(["Mn", "Mp", "mo"].some((text) => text >= name.gte && text < name.lt)).toBe(false);
});

it("days are those of whoever reads, from their first instant to their last", () => {
  const begins = (day: number) => new Date(2026, 10, day).toISOString();
  const last = (day: number) => new Date(new Date(2026, 10, day + 1).getTime() - 1).toISOString();
  expect(asked("createdAt.between.2026-11-20.2026-11-21")).toEqual({ dateField: "createdAt", dateFrom: begins(20), dateTo: last(21) });
  expect(asked("updatedAt.is.2026-11-20")).toEqual({ dateField: "updatedAt", dateFrom: begins(20), dateTo: last(20) });
  expect(asked("publishedAt.atLeast.2026-11-20")).toEqual({ dateField: "publishedAt", dateFrom: begins(20) });
  expect(asked("publishedAt.atMost.2026-11-20")).toEqual({ dateField: "publishedAt", dateTo: last(20) });
  expect(fieldFilters("at.between.2026-11-20.2026-11-21")).toEqual({ at: { gte: begins(20), lt: begins(22) } });
  expect(fieldFilters("at.atMost.2026-11-20")).toEqual({ at: { lt: begins(21) } });
});

it("what is searched for is contained in what names an entry, where that is indexed", () => {
  const title = { ...field("name", "string"), index: { state: "ready" } } as ContentField;
  const search = { q: "whale", filter: "price.is.1" };
  expect(questionOf(search, { ...collection, fields: [title, field("price", "number")] }).fieldFilters).toBe('{"price":1,"name":{"contains":"whale"}}');
  expect(questionOf(search, collection).fieldFilters).toBe('{"price":1}');
});

it("a field that is gone asks for nothing", () => {
  expect(asked("gone.is.1")).toEqual({});
});

it("a minus in front of an order begins with the highest", () => {
  expect([orderOf("-price"), orderOf("price"), orderOf(undefined)]).toEqual([
    { orderBy: "price", order: "desc" },
    { orderBy: "price", order: "asc" },
    { orderBy: "updatedAt", order: "desc" },
  ]);
});

it("what was asked by a field's former name is asked by its new one", () => {
  const renamed = { fields: [field("headline", "string", "title", "name"), field("cost", "number")] } as Collection;
  const search = { q: "x", filter: "title.is.A%2eB*cost.atLeast.3*status.is.draft", sort: "-name", columns: "title,cost,updatedAt" };
  expect(byNewNames(search, renamed)).toEqual({ q: "x", filter: "headline.is.A%2eB*cost.atLeast.3*status.is.draft", sort: "-headline", columns: "headline,cost,updatedAt" });
  expect(byNewNames({}, renamed)).toEqual({});
});
