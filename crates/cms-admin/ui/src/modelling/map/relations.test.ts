import { expect, it } from "vitest";

import { arrowsOf, boxesOf, narrowed } from "./relations";

type Model = Parameters<typeof boxesOf>[0];

function reference(slug: string, collection?: string, more: Record<string, unknown> = {}) {
  const { required = false, validation = {}, ...options } = more;
  return { slug, label: slug, type: "reference", required, validation, options: { ...(collection ? { collection } : {}), ...options } } as Model[number]["fields"][number];
}

function collection(slug: string, ...fields: Model[number]["fields"]): Model[number] {
  return { slug, label: slug.toUpperCase(), fields };
}

it("draws a box for each collection, and one for each that is referred to and missing", () => {
  const boxes = boxesOf([collection("posts", reference("author", "people"), reference("gone", "ghosts"), reference("spook", "ghosts")), collection("people")]);
  expect(boxes.map(({ slug, isMissing }) => [slug, isMissing])).toEqual([["posts", false], ["people", false], ["ghosts", true]]);
  expect(arrowsOf(boxes)).toEqual([{ from: 0, row: 0, to: 1 }, { from: 0, row: 1, to: 2 }, { from: 0, row: 2, to: 2 }]);
});

it("says how many entries a reference names", () => {
  const fields = [
    reference("a", "x"),
    reference("b", "x", { required: true }),
    reference("c", "x", { allowMultiple: true }),
    reference("d", "x", { allowMultiple: true, validation: { minItems: 2 } }),
    reference("e", "x", { allowMultiple: true, required: true }),
  ];
  expect(boxesOf([collection("x", ...fields)])[0]?.rows.map(({ count }) => count)).toEqual(["maybeOne", "one", "any", "some", "some"]);
});

it("has no arrow for what refers to entries of any collection", () => {
  const boxes = boxesOf([collection("posts", reference("about"))]);
  expect(boxes).toHaveLength(1);
  expect(arrowsOf(boxes)).toEqual([]);
});

it("holds with names that objects have of themselves", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  const boxes = boxesOf([collection("constructor", ...names.map((name) => reference("valueOf", name)))]);
  expect(boxes.map(({ slug }) => slug)).toEqual(names);
  expect(arrowsOf(boxes).map(({ to }) => to)).toEqual([0, 1, 2, 3]);
});

it("finds collections by name or slug, and shows what they are related to and why", () => {
  const model = [
    collection("posts", reference("author", "people"), reference("topic", "topics")),
    collection("people", reference("boss", "people")),
    collection("topics"),
    collection("events", reference("host", "people")),
    collection("islands"),
  ];
  const found = narrowed(boxesOf(model), " PEOP ");
  expect(found.map(({ slug, isBeside }) => [slug, isBeside])).toEqual([["posts", true], ["people", false], ["events", true]]);
  expect(found[0]?.rows.map(({ slug }) => slug)).toEqual(["author"]);
  expect(arrowsOf(found)).toEqual([{ from: 0, row: 0, to: 1 }, { from: 1, row: 0, to: 1 }, { from: 2, row: 0, to: 1 }]);
  expect(narrowed(boxesOf(model), "")).toHaveLength(5);
  expect(narrowed(boxesOf(model), "nothing")).toEqual([]);
});
