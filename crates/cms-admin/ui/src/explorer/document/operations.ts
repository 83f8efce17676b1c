// The operations of a document, as the screen shows them.

import { resolved } from "./resolve";
import type { ApiDocument, Content, DocumentParameter, DocumentResponse, Root, Schema } from "./types";

/** Something that is asked for by itself: a part of the address, a header, or an argument of a tool. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "argument";
  description: string | undefined;
  required: boolean;
  schema: Schema;
  /** Whether its value is written in JSON, as that of an object. */
  isJson: boolean;
}

interface Body {
  mediaType: string;
  description: string | undefined;
  required: boolean;
  schema: Schema | undefined;
  /** What the document gives as an example. */
  example: unknown;
}

interface Response {
  status: string;
  description: string;
  mediaType: string | undefined;
  schema: Schema | undefined;
}

/** What proves who asks. */
export type Proof = "token" | "session" | "none";

export interface Operation {
  id: string;
  /** As in `GET`. */
  method: string;
  path: string;
  tag: string;
  summary: string;
  /** Without who may, which is `who`. */
  description: string;
  who: string;
  proofs: Proof[];
  parameters: Parameter[];
  body: Body | undefined;
  responses: Response[];
  answer: "json" | "events" | "file";
  /** Whether it is for this application alone, and no contract. */
  isInternal: boolean;
  /** Where references of its schemas lead. */
  root: Root;
}

export interface Group {
  tag: string;
  about: string | undefined;
  isInternal: boolean;
  operations: Operation[];
}

/** How many choices within choices are looked at. */
const STEPS = 8;

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

/** Every operation of a document, by tags, in the document's order. `except` names those that another document has already. */
export function groupsOf(document: ApiDocument, { isInternal = false, except = new Set<string>() } = {}): Group[] {
  const about = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const groups = new Map<string, Group>([...about].map(([tag, about]) => [tag, { tag, about, isInternal, operations: [] }]));
  for (const operation of operationsOf(document, isInternal)) {
    if (except.has(operation.id)) continue;
    const group = groups.get(operation.tag) ?? { tag: operation.tag, about: undefined, isInternal, operations: [] };
    group.operations.push(operation);
    groups.set(operation.tag, group);
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0);
}

function operationsOf(document: ApiDocument, isInternal: boolean): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, given]): Operation => {
        const { description, who } = apart(given.description ?? "");
        const responses = Object.entries(given.responses ?? {}).map(([status, response]) => responseOf(document, status, response));
        return {
          id: given.operationId ?? `${method} ${path}`,
          method: method.toUpperCase(),
          path,
          tag: given.tags?.[0] ?? "",
          summary: given.summary ?? given.operationId ?? path,
          description,
          who,
          proofs: proofsOf(document, given.security ?? []),
          parameters: (given.parameters ?? []).flatMap((parameter) => parameterOf(resolved<DocumentParameter>(document, parameter))),
          body: given.requestBody && bodyOf(resolved<{ description?: string; required?: boolean; content: Content }>(document, given.requestBody)),
          responses,
          answer: answerOf(responses),
          isInternal,
          root: document,
        };
      }),
  );
}

/** The last paragraph of a description says who may: the document writes it so. */
function apart(text: string): { description: string; who: string } {
  const paragraphs = text.split(/\n{2,}/);
  const who = paragraphs.pop() ?? "";
  return { description: paragraphs.join("\n\n"), who };
}

function parameterOf({ name, in: place, description, required = false, schema, content }: DocumentParameter): Parameter[] {
  if (place !== "path" && place !== "query" && place !== "header") return [];
  const [first] = Object.values(content ?? {});
  return [{ name, in: place, description, required, schema: schema ?? first?.schema ?? {}, isJson: content !== undefined }];
}

function bodyOf({ description, required = false, content }: { description?: string; required?: boolean; content: Content }): Body | undefined {
  const [first] = Object.entries(content);
  if (!first) return undefined;
  const [mediaType, { schema, example }] = first;
  return { mediaType, description, required, schema, example };
}

function responseOf(document: ApiDocument, status: string, given: DocumentResponse | { $ref: string }): Response {
  const { description, content } = resolved<DocumentResponse>(document, given);
  const [first] = Object.entries(content ?? {});
  return { status, description, mediaType: first?.[0], schema: first?.[1].schema };
}

function answerOf(responses: Response[]): Operation["answer"] {
  const success = responses.find(({ status }) => status.startsWith("2"));
  if (success?.mediaType === "text/event-stream") return "events";
  return success?.mediaType === undefined || success.mediaType === "application/json" ? "json" : "file";
}

/** Each of the alternatives by what it needs: a token is in a header of its own, a session in a cookie. */
function proofsOf({ components }: ApiDocument, security: Record<string, string[]>[]): Proof[] {
  const schemes = components?.securitySchemes ?? {};
  const proofs = security.map((alternative): Proof => {
    const used = Object.keys(alternative).map((name) => schemes[name]);
    if (used.some((scheme) => scheme?.type === "http")) return "token";
    return used.some((scheme) => scheme?.in === "cookie") ? "session" : "none";
  });
  return [...new Set(proofs)];
}

/** The arguments of a tool, each as a parameter: whatever may be nothing may be left out. */
export function argumentsOf(input: Schema): Parameter[] {
  const required = new Set(input.required);
  return Object.entries(input.properties ?? {}).map(([name, given]) => {
    const schema = withoutNull(given);
    const { description } = resolved<Schema>(input, given);
    return { name, in: "argument", description, required: required.has(name), schema, isJson: !isText(input, schema) };
  });
}

/** A schema without the choice of nothing. */
function withoutNull(schema: Schema): Schema {
  const isNull = ({ type }: Schema) => type === "null";
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== "null") : schema.type;
  const choices = schema.anyOf?.filter((choice) => !isNull(choice));
  const [only] = choices ?? [];
  if (only && choices?.length === 1) return { ...only, ...(schema.description ? { description: schema.description } : {}) };
  return { ...schema, ...(types === undefined ? {} : { type: Array.isArray(types) && types.length === 1 ? types[0] : types }), ...(choices ? { anyOf: choices } : {}) };
}

/** Whether every value of a schema is a text, so that it can be written without quotes. */
export function isText(root: Root, given: Schema, steps = 0): boolean {
  const { type, const: only, enum: values, oneOf, anyOf } = resolved<Schema>(root, given);
  if (type !== undefined) return type === "string";
  if (only !== undefined) return typeof only === "string";
  if (values) return values.every((value) => typeof value === "string");
  const choices = oneOf ?? anyOf;
  return choices !== undefined && steps < STEPS && choices.every((choice) => isText(root, choice, steps + 1));
}
