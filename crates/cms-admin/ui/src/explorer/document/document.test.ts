import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { describe, partsOf, typeOf } from "./describe";
import { argumentsOf, groupsOf, type Operation } from "./operations";
import { resolved } from "./resolve";
import { sampleOf } from "./sample";
import { found } from "./search";
import type { ApiDocument, Schema } from "./types";

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const document = read("../../../openapi.json") as ApiDocument;
const groups = groupsOf(document);
const operations = groups.flatMap(({ operations }) => operations);
const operation = (id: string) => operations.find((operation) => operation.id === id) as Operation;

/** A document of schemas alone. */
const rootOf = (schemas: Record<string, Schema>) => ({ components: { schemas } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it("has every operation once, each in a group", () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(operations.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

it("knows what an operation takes, answers and needs", () => {
  const list = operation("listContent");
  expect(list).toMatchObject({ method: "GET", path: "/content/{collection}", tag: "Content", answer: "json", proofs: ["token", "session", "none"] });
  expect(list.who).toMatch(/^Needs the scope `content:read`/);
  expect(list.description).not.toContain("Needs the scope");
  expect(list.parameters.find(({ name }) => name === "fieldFilters")?.isJson).toBe(true);
  expect(list.parameters.find(({ name }) => name === "If-None-Match")?.in).toBe("header");
  expect(operation("watchJobs").answer).toBe("events");
  expect(operation("downloadExport").answer).toBe("file");
  expect(operation("startImport").body?.mediaType).toBe("application/x-ndjson");
  expect(operation("createToken").proofs).toEqual(["session"]);
});

it("leaves out what another document has already, and says what is internal", () => {
  const rest = groupsOf(document, { isInternal: true, except: new Set(["listContent"]) }).flatMap(({ operations }) => operations);
  expect(rest).toHaveLength(operations.length - 1);
  expect(rest.every(({ isInternal }) => isInternal)).toBe(true);
});

it("finds operations by all words of what is typed, without case and accents", () => {
  const ids = (typed: string) => found(groups, typed).flatMap(({ operations }) => operations.map(({ id }) => id));
  expect(ids("ÉNTRY  trâsh")).toContain("restoreContent");
  expect(ids("put /content/{collection}/{id}")).toContain("updateContent");
  expect(ids("createtoken")).toEqual(["createToken"]);
  expect(ids("  ")).toHaveLength(operations.length);
  expect(ids("constructor __proto__")).toEqual([]);
});

it("follows references through pointers, and what stands beside them holds", () => {
  const root = rootOf({ "a/b~c": { type: "string", description: "There" }, to: { ...ref("a~1b~0c"), description: "Here" } });
  expect(resolved<Schema>(root, ref("to"))).toEqual({ type: "string", description: "Here" });
  for (const pointer of ["#/nothing", "#/__proto__/toString", "elsewhere.json#/a", "#/components/schemas/%zz"]) expect(resolved<Schema>(root, { $ref: pointer })).toEqual({});
});

it("has no trouble with what has no end", () => {
  const root = rootOf({
    circle: ref("circle"),
    one: ref("other"),
    other: ref("one"),
    list: { type: "array", items: ref("list") },
    either: { anyOf: [ref("either"), { type: "null" }] },
    all: { allOf: [ref("all")], required: ["all"], properties: { all: ref("all") } },
    node: { type: "object", required: ["value", "next"], properties: { value: { type: "string" }, next: ref("node"), more: { type: "array", items: ref("node"), minItems: 2 } } },
  });
  for (const name of ["circle", "one", "list", "either", "all", "node"]) {
    describe(root, ref(name));
    partsOf(root, ref(name));
    sampleOf(root, ref(name));
    argumentsOf({ ...root, properties: { it: ref(name) } });
  }
  // Each step leads to the same members again, for as long as somebody goes on.
  let schema: Schema = ref("node");
  for (let deep = 0; deep < 100; deep++) schema = partsOf(root, schema).find(({ name }) => name === "next")?.schema ?? {};
  expect(partsOf(root, schema).map(({ name }) => name)).toEqual(["value", "next", "more"]);
});

it("writes types as TypeScript would", () => {
  const root = rootOf({ Item: { type: "object", properties: { a: { type: "string" } } } });
  const types: [Schema, string][] = [
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "array", items: ref("Item") }, "Item[]"],
    [{ type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    [{ anyOf: [ref("Item"), { type: "null" }] }, "Item | null"],
    [{ oneOf: [{ const: "a" }, { const: "b" }] }, "string"],
    [{ const: true }, "true"],
    [{ enum: [10, 20, null] }, "number | null"],
    [{}, "any"],
  ];
  for (const [schema, type] of types) expect(typeOf(root, schema)).toBe(type);
});

it("tells bounds, values and defaults", () => {
  const { parameters, root } = operation("listContent");
  const described = (name: string) => describe(root, parameters.find((parameter) => parameter.name === name)?.schema ?? {});
  expect(described("limit").facts).toEqual([
    { kind: "range", least: 1, most: 100 },
    { kind: "default", value: "50" },
  ]);
  expect(described("status").values[0]).toEqual({ value: '"draft"', about: "Not public." });
  expect(described("collection").facts).toContainEqual({ kind: "pattern", value: "^[a-z][a-z0-9_]*$" });
});

it("opens a body to its members, and lists to those of their items", () => {
  const { body, root } = operation("createCollection");
  const parts = partsOf(root, body?.schema ?? {});
  expect(parts.find(({ name }) => name === "slug")?.required).toBe(true);
  const fields = parts.find(({ name }) => name === "fields");
  expect(partsOf(root, fields?.schema ?? {}).map(({ name }) => name)).toContain("slug");
});

it("begins a body with what has to be in it, which is what the document asks for", () => {
  for (const { id, body, root } of operations) {
    const sample = JSON.parse(sampleOf(root, body?.schema)) as object;
    const { required = [] } = resolved<Schema>(root, body?.schema ?? {});
    expect(Object.keys(sample).sort(), id).toEqual([...required].sort());
  }
});

it("takes the arguments of tools apart, without the nothing that they may be", () => {
  const { tools } = read("../../../../../../docs/tools.json") as { tools: { name: string; inputSchema: Schema }[] };
  const input = tools.find(({ name }) => name === "content_list")?.inputSchema ?? {};
  const named = new Map(argumentsOf(input).map((argument) => [argument.name, argument]));
  expect(named.get("cursor")).toMatchObject({ required: false, isJson: false, schema: { type: "string" } });
  expect(named.get("limit")).toMatchObject({ isJson: true });
  expect(named.get("status")?.isJson).toBe(false);
  expect(named.get("collection")?.required).toBe(true);
});
