import { expect, it } from "vitest";

import { atFirst, fitting, MOST, type Group, type Item } from "./sections";

const item = (group: Group, label: string, more: Partial<Item> = {}): Item => ({ id: `${group} ${label}`, group, label, run: () => undefined, ...more });
const shown = (sections: { group: Group; items: Item[] }[]) => sections.map(({ group, items }) => [group, ...items.map(({ label }) => label)]);

it("shows what was chosen last first, and no entries and people before anything is typed", () => {
  const items = [item("actions", "Sign out"), item("go", "Users"), item("entries", "On looms"), item("people", "Ada")];
  expect(shown(atFirst(items, [item("go", "Users")]))).toEqual([["recent", "Users"], ["go", "Users"], ["actions", "Sign out"]]);
});

it("keeps a thousand collections from being drawn", () => {
  const many = Array.from({ length: 1_000 }, (_, n) => [item("go", `Collection ${n}`), item("create", `New entry in collection ${n}`)]).flat();
  expect(atFirst(many, []).flatMap(({ items }) => items).length).toBeLessThan(60);
  expect(fitting(many, [], "collection").flatMap(({ items }) => items)).toHaveLength(2 * MOST);
});

it("puts the group with the best hit first", () => {
  const items = [item("go", "People who write"), item("create", "Write a letter"), item("entries", "Why we write")];
  expect(shown(fitting(items, [], "write")).map(([group]) => group)).toEqual(["create", "go", "entries"]);
});

it("puts what comes late behind what was there, and each thing once", () => {
  const known = [item("entries", "Looms", { by: "words" }), item("actions", "Loom light")];
  const late = [item("entries", "Looms"), item("entries", "Loom"), item("people", "Loomis")];
  expect(shown(fitting(known, late, "loom"))).toEqual([["entries", "Looms", "Loom"], ["actions", "Loom light"], ["people", "Loomis"]]);
});

it("finds things by other words for them", () => {
  expect(shown(fitting([item("actions", "Dark theme", { words: "night" })], [], "nigh"))).toEqual([["actions", "Dark theme"]]);
});
