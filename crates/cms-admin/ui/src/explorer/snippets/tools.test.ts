import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { TOOLS } from "./tools";

interface Document {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const { paths } = read("../../../openapi.json") as Document;
const operations = new Map(Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId, summary }) => [operationId, summary] as const)));
const { tools } = read("../../../../../../docs/tools.json") as { tools: { name: string; title: string }[] };

it("has every tool, and no other one", () => {
  expect([...TOOLS.values()].sort()).toEqual(tools.map(({ name }) => name).sort());
});

it("names operations of the document alone, each the one that says of itself what its tool says", () => {
  const titles = new Map(tools.map(({ name, title }) => [name, title]));
  for (const [operation, tool] of TOOLS) expect([operation, operations.get(operation)]).toEqual([operation, titles.get(tool)]);
});

it("has nothing for what every object has", () => {
  for (const name of ["constructor", "__proto__", "toString"]) expect(TOOLS.get(name)).toBeUndefined();
});
