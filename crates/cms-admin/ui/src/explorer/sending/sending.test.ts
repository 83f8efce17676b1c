import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { groupsOf, type Parameter } from "../document/operations";
import { partsOf } from "../document/describe";
import type { ApiDocument, Root, Schema } from "../document/types";
import { argumentsOf as written } from "../snippets/mcp";
import { eventReader } from "./events";
import { isDance, isKept, isSecret, SPECIAL } from "./special";
import { argumentsOf, controlOf, keyOf, problemOf } from "./values";

const document = JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")) as ApiDocument;
const operations = groupsOf(document).flatMap(({ operations }) => operations);

const parameter = (schema: Schema, more: Partial<Parameter> = {}): Parameter => ({ name: "it", in: "query", description: undefined, required: false, schema, isJson: false, ...more });

it("asks for each kind of value in its way", () => {
  expect(controlOf({}, parameter({ type: "string" }))).toEqual({ kind: "text" });
  expect(controlOf({}, parameter({ type: "integer" }))).toEqual({ kind: "number", isInteger: true });
  expect(controlOf({}, parameter({ type: "boolean" }))).toEqual({ kind: "choice", values: ["true", "false"], isText: false });
  expect(controlOf({}, parameter({ enum: [10, 20] }))).toEqual({ kind: "choice", values: ["10", "20"], isText: false });
  expect(controlOf({}, parameter({ oneOf: [{ const: "a" }, { const: "b" }] }))).toEqual({ kind: "choice", values: ["a", "b"], isText: true });
  expect(controlOf({}, parameter({ type: "object" }, { isJson: true }))).toEqual({ kind: "json" });
});

it("says what is wrong with a value, and nothing of what is left out", () => {
  const problem = (text: string, schema: Schema, more: Partial<Parameter> = {}) => problemOf({}, parameter(schema, more), text);
  expect(problem("", { type: "string" })).toBeUndefined();
  expect(problem("", { type: "string" }, { required: true })).toBe("required");
  expect(problem("..", { type: "string" }, { in: "path" })).toBe("segment");
  expect(problem("..", { type: "string" })).toBeUndefined();
  expect(problem("1.5", { type: "integer" })).toBe("integer");
  expect(problem("1e400", { type: "number" })).toBeUndefined();
  expect(problem("0x1", { type: "number" })).toBe("number");
  expect(problem("{", { type: "object" }, { isJson: true })).toBe("json");
});

it("gives what is typed with its type, long numbers as they are", () => {
  const parameters = [parameter({ type: "integer" }, { name: "n" }), parameter({ type: "string" }, { name: "constructor" }), parameter({ type: "string" }, { name: "left" }), parameter({ type: "string" }, { name: "n", in: "path" })];
  const values = new Map([
    [keyOf({ in: "query", name: "n" }), "12345678901234567890"],
    [keyOf({ in: "query", name: "constructor" }), "10"],
    [keyOf({ in: "path", name: "n" }), "a"],
  ]);
  const given = argumentsOf({}, parameters, values);
  expect(given).toEqual([
    { name: "n", in: "query", value: "12345678901234567890", isJson: true },
    { name: "constructor", in: "query", value: "10" },
    { name: "n", in: "path", value: "a" },
  ]);
  expect(written({ parameters: given.slice(0, 2) })).toBe('{"n":12345678901234567890,"constructor":"10"}');
});

/** The names of all that is inside of a schema, some steps deep. */
function namesIn(root: Root, schema: Schema | undefined, deep = 5): string[] {
  if (!schema || deep === 0) return [];
  return partsOf(root, schema).flatMap(({ kind, name, schema }) => [...(kind === "member" ? [name] : []), ...namesIn(root, schema, deep - 1)]);
}

it("knows every operation that hands out a secret, is given one, or is a step of a browser's", () => {
  const ids = new Set(operations.map(({ id }) => id));
  for (const id of SPECIAL) expect(ids.has(id), id).toBe(true);
  for (const { id, root, body, responses, parameters } of operations) {
    const answered = responses.filter(({ status }) => status.startsWith("2")).flatMap(({ schema }) => namesIn(root, schema));
    const sent = [...namesIn(root, body?.schema), ...parameters.map(({ name }) => name)];
    // The address of a file is for everybody; the one that it is sent to is not.
    const isOpen = (name: string) => name === "url" && /Media/.test(id);
    if (answered.some((name) => /^(token|secret|challenge|url|(invite|recovery|upload)Url)$/i.test(name) && !isOpen(name))) expect(isSecret(id) || isDance(id), `${id} answers a secret`).toBe(true);
    if (sent.some((name) => /^(token|secret|credential|password|code|user_code)$/i.test(name))) expect(isKept(id, sent), `${id} is given a secret`).toBe(false);
  }
});

it("remembers what is no secret by its name", () => {
  for (const name of ["token", "clientSecret", "accessToken", "new_password", "x-api-token", "user_code"]) expect(isKept("mine", [name]), name).toBe(false);
  for (const name of ["collection", "tokenId", "codeBlock", "barcodeId", "decode_at"]) expect(isKept("mine", [name]), name).toBe(true);
});

it("reads events however they are cut", () => {
  const text = '\uFEFF: hello\r\nevent: jobs\r\ndata: {"a":\r\ndata: 1}\r\nid: 7\r\n\r\ndata:second\rdata\r\r\n\ndata: third\n\nevent: never\n\ndata: unfinished';
  const expected = [
    { type: "jobs", data: '{"a":\n1}', id: "7" },
    { type: "message", data: "second\n", id: "7" },
    { type: "message", data: "third", id: "7" },
  ];
  for (let size = 1; size <= text.length; size++) {
    const read = eventReader();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...read(text.slice(at, at + size)));
    expect(events, `in pieces of ${size}`).toEqual(expected);
  }
});
