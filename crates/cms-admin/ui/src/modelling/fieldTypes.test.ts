import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { FIELD_TYPES, isWorthUnique, SUB_TYPES } from "./fieldTypes";

const source = (file: string) => readFileSync(`../../cms-domain/src/field/${file}`, "utf8");
const named = (name = "") => name.charAt(0).toLowerCase() + name.slice(1);

it("says of each type what the server says of it", () => {
  const lines = source("kind.rs").matchAll(/\(FieldType::(\w+), "([\w ]*)"\)/g);
  const told = Object.fromEntries([...lines].map(([, type, traits]) => [named(type), traits]));
  expect(Object.keys(told)).toHaveLength(16);
  expect(Object.fromEntries(FIELD_TYPES.map(({ type, traits }) => [type, traits.join(" ")]))).toEqual(told);
});

it("lets rows have the fields that the server lets them have", () => {
  const kinds = source("rules.rs").matchAll(/SubFieldType::(\w+) =>/g);
  expect([...kinds].map(([, type]) => named(type))).toEqual([...SUB_TYPES]);
});

it("offers no yes or no to be unique", () => {
  const offered = FIELD_TYPES.filter(isWorthUnique).map(({ type }) => type);
  expect(offered).toEqual(["string", "reference", "datetime", "select", "integer", "number", "url", "slug"]);
});
