import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { freeIdentifier, identifierFrom, RESERVED } from "./identifier";

it("suggests no word that the server keeps for itself", () => {
  const lists = readFileSync("../../cms-domain/src/slug.rs", "utf8").matchAll(/reserved: &\[([^\]]*)\]/g);
  const [collection, field] = [...lists].map(([, list = ""]) => [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word));
  expect(RESERVED).toEqual({ collection, field });
});

describe("identifierFrom", () => {
  it.each([
    ["Articles", "articles"],
    ["Größe des Bildes", "grosse_des_bildes"],
    ["  2nd  Author’s name! ", "nd_authors_name"],
    ["Éditions & numéros", "editions_numeros"],
    ["مقالات", ""],
    ["a".repeat(80), "a".repeat(63)],
  ])("makes of %j the slug %j", (label, slug) => expect(identifierFrom(label)).toBe(slug));
});

it("finds a slug that is not taken, within its length", () => {
  expect(freeIdentifier("tag", ["title"])).toBe("tag");
  expect(freeIdentifier("tag", ["tag", "tag_2"])).toBe("tag_3");
  expect(freeIdentifier("a".repeat(63), ["a".repeat(63)])).toBe(`${"a".repeat(61)}_2`);
});
