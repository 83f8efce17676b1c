import { expect, it } from "vitest";

import { score } from "./fuzzy";

const best = (typed: string, ...texts: string[]) => texts.map((text) => [score(text, typed), text] as const).filter(([score]) => score > 0).sort(([one], [other]) => other - one).map(([, text]) => text);

it("puts what is called so before what begins so, and that before what only has it", () => {
  expect(best("publish", "Unpublish", "Publish changes", "Publish", "To publish")).toEqual(["Publish", "Publish changes", "To publish", "Unpublish"]);
});

it("finds words in any order, without case and accents", () => {
  expect(score("Éléments de géométrie", "geometrie ele")).toBeGreaterThan(0);
  expect(score("Größenänderung", "groessen")).toBe(0);
  expect(score("Straße", "strasse")).toBeGreaterThan(0);
  expect(score("Audit log", "audit users")).toBe(0);
});

it("takes the first letters of words for them where letters are enough", () => {
  expect(score("Audit log", "al")).toBeGreaterThan(0);
  expect(score("Audit log", "al", "words")).toBe(0);
  expect(score("Sign-in and security", "xyzzy")).toBe(0);
});

it("fits nothing where nothing is typed", () => {
  expect(score("Audit log", "  ")).toBe(0);
});
