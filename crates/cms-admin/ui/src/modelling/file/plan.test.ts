import { expect, it } from "vitest";

import type { Exported } from "../queries";
import { consentOf, costsOf, countsOf, groupsOf, lossesOf, Names, newNamesOf, partsOf, withCollections, type Plan, type Step } from "./plan";

const THERE = [{ slug: "constructor", label: "Builders", fields: [{ slug: "toString", label: "Text", type: "string" }, { slug: "price", label: "Price", type: "number" }] }] as Exported[];
const WANTED = [
  { slug: "constructor", label: "Makers", fields: [{ slug: "cost", label: "Cost", type: "number" }, { slug: "body", label: "Body", type: "text" }] },
  { slug: "pages", label: "Pages", fields: [{ slug: "a", label: "A", type: "string" }] },
];

function step(action: Step["action"], name: string, more: Partial<Step> = {}): Step {
  return { action, name, changes: [], loses: null, ...more };
}

const names = new Names(THERE, WANTED);
const plan: Plan = {
  version: "1",
  steps: [
    step("create_collection", "pages"),
    step("create_field", "constructor.body"),
    step("create_field", "constructor.cost"),
    step("update_collection", "constructor"),
    step("delete_field", "constructor.price", { loses: 3 }),
    step("delete_collection", "old", { loses: 12 }),
  ],
};

it("puts the steps of a plan together by collection, each called as people call it", () => {
  expect(groupsOf(plan, names).map(({ slug, label, kind, steps, fields }) => [slug, label, kind, steps.length, fields])).toEqual([
    ["constructor", "Builders", "changed", 4, 2],
    ["old", "old", "deleted", 1, 0],
    ["pages", "Pages", "made", 1, 1],
  ]);
  expect(names.field("constructor", "toString")).toBe("Text");
  expect(names.field("constructor", "valueOf")).toBe("valueOf");
  expect(partsOf("posts")).toEqual({ collection: "posts", field: undefined });
});

it("counts what is made, changed and deleted", () => {
  expect(countsOf(plan)).toEqual({ collections: { made: 1, changed: 1, deleted: 1 }, fields: { made: 2, changed: 0, renamed: 0, deleted: 1 } });
});

it("offers a field that goes the names of those that come, what has its type first", () => {
  expect(newNamesOf(step("delete_field", "constructor.price"), plan, names)).toEqual(["cost", "body"]);
  expect(newNamesOf(step("delete_field", "pages.price"), plan, names)).toEqual([]);
});

it("asks again where more would be lost than was agreed to", () => {
  const [first] = lossesOf(plan);
  expect(lossesOf(plan).map(({ name }) => name)).toEqual(["constructor.price", "old"]);
  expect(first && consentOf(first)).not.toBe(first && consentOf({ ...first, loses: 4 }));
});

it("knows what of a change takes time or may be refused", () => {
  const change = (member: string, to: unknown) => ({ member, from: null, to });
  expect(costsOf(step("update_field", "a.b", { changes: [change("type", "text"), change("unique", true), change("indexed", false), change("required", true)] }))).toEqual(["retype", "unique", "required"]);
  expect(costsOf(step("update_field", "a.b", { changes: [change("translatable", false), change("indexed", true)] }))).toEqual(["index", "sameInAll"]);
  expect(costsOf(step("update_collection", "a", { changes: [change("indexes", [])] }))).toEqual(["composite"]);
});

it("sends collections as they are written, with names that objects have of themselves", () => {
  const renames = Object.fromEntries(new Map([["a.__proto__", "b"], ["constructor.c", "d"]]));
  const text = withCollections({ collections: [], partial: true, renames }, '[{"n": 1.0}]');
  expect(text).toBe('{"collections":[{"n": 1.0}],"partial":true,"renames":{"a.__proto__":"b","constructor.c":"d"}}');
  expect(withCollections({ collections: [] }, "[]")).toBe('{"collections":[]}');
});
