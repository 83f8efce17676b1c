// A schema in a few words: its type as TypeScript would write it, what bounds its values, and what is inside it.

import { nameOf, resolved } from "./resolve";
import type { Root, Schema } from "./types";

/** Something that bounds values. */
export type Fact =
  | { kind: "length" | "range" | "items" | "members"; least: number | undefined; most: number | undefined }
  | { kind: "above" | "below"; value: number }
  | { kind: "pattern" | "default" | "example" | "format" | "names"; value: string }
  | { kind: "unique" } | { kind: "deprecated" };

/** One of the values that there are. */
interface Value {
  value: string;
  about: string | undefined;
}

/** Something inside of a schema. */
export interface Part {
  /** `member` has a name; `pattern` is any name that fits, `any` any other one; `item` is what a list is made of, `choice` one of several. */
  kind: "member" | "pattern" | "any" | "item" | "choice";
  name: string;
  required: boolean;
  schema: Schema;
}

export interface Description {
  type: string;
  facts: Fact[];
  values: Value[];
  about: string | undefined;
}

/** How deep a type is written out before it is cut: what is inside is shown when it is opened. */
const DEEP = 3;
/** How many steps are gone from a schema to what is inside of it, through choices, lists and what it is put together from. */
const STEPS = 8;

export function describe(root: Root, given: Schema): Description {
  const schema = resolved<Schema>(root, given);
  return { type: typeOf(root, given), facts: factsOf(schema), values: valuesOf(root, schema), about: schema.description };
}

/** The type of a schema, as in `string[] | null`. Names stand for what they name. */
export function typeOf(root: Root, given: Schema, deep = 0): string {
  const schema = resolved<Schema>(root, given);
  const name = nameOf(given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return typesOfValues(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    if (choices.every(({ const: only }) => only !== undefined)) return typesOfValues(choices.map(({ const: only }) => only));
    return deep > DEEP ? "…" : joined(choices.map((choice) => typeOf(root, choice, deep + 1)));
  }
  const types = [schema.type ?? (schema.properties || schema.allOf ? "object" : "any")].flat();
  return joined(
    types.map((type) => {
      if (type === "array") return listed(root, schema, deep);
      return type === "object" && name !== undefined ? name : type;
    }),
  );
}

function listed(root: Root, { items }: Schema, deep: number): string {
  if (typeof items !== "object") return "any[]";
  const item = deep > DEEP ? "…" : typeOf(root, items, deep + 1);
  return item.includes(" ") ? `(${item})[]` : `${item}[]`;
}

const joined = (types: string[]) => [...new Set(types)].join(" | ");

const typesOfValues = (values: unknown[]) => joined(values.map((value) => (value === null ? "null" : typeof value)));

function valuesOf(root: Root, schema: Schema, steps = 0): Value[] {
  if (steps > STEPS) return [];
  const list = schema.enum?.map((value) => ({ value: JSON.stringify(value), about: undefined }));
  if (list) return list;
  const choices = (schema.oneOf ?? schema.anyOf)?.map((choice) => resolved<Schema>(root, choice)) ?? [];
  if (choices.some(({ const: only }) => only !== undefined)) return choices.flatMap(({ const: only, description }) => (only === undefined ? [] : [{ value: JSON.stringify(only), about: description }]));
  // A choice between nothing and something that is a choice of values itself.
  const [other] = choices.filter(({ type }) => type !== "null");
  if (other && choices.length === 2 && choices.some(({ type }) => type === "null")) return valuesOf(root, other, steps + 1);
  // Of a list, those of its items.
  return typeof schema.items === "object" ? valuesOf(root, resolved<Schema>(root, schema.items), steps + 1) : [];
}

function factsOf(schema: Schema): Fact[] {
  const facts: Fact[] = [];
  const bounds = (kind: "length" | "range" | "items" | "members", least: number | undefined, most: number | undefined) => {
    if (least !== undefined || most !== undefined) facts.push({ kind, least, most });
  };
  if (schema.deprecated) facts.push({ kind: "deprecated" });
  if (schema.format !== undefined && !/^u?int|^(float|double)$/.test(schema.format)) facts.push({ kind: "format", value: schema.format });
  bounds("length", schema.minLength, schema.maxLength);
  bounds("range", schema.minimum, schema.maximum);
  if (schema.exclusiveMinimum !== undefined) facts.push({ kind: "above", value: schema.exclusiveMinimum });
  if (schema.exclusiveMaximum !== undefined) facts.push({ kind: "below", value: schema.exclusiveMaximum });
  bounds("items", schema.minItems, schema.maxItems);
  bounds("members", schema.minProperties, schema.maxProperties);
  if (schema.uniqueItems) facts.push({ kind: "unique" });
  if (schema.pattern !== undefined) facts.push({ kind: "pattern", value: schema.pattern });
  if (schema.propertyNames?.pattern !== undefined) facts.push({ kind: "names", value: schema.propertyNames.pattern });
  if (schema.default !== undefined) facts.push({ kind: "default", value: JSON.stringify(schema.default) });
  for (const example of schema.examples ?? []) facts.push({ kind: "example", value: JSON.stringify(example) });
  return facts;
}

/** What is inside of a schema, one level deep. References are followed no further than that. */
export function partsOf(root: Root, given: Schema, steps = 0): Part[] {
  if (steps > STEPS) return [];
  const inner = (given: Schema) => partsOf(root, given, steps + 1);
  const schema = resolved<Schema>(root, given);
  const required = new Set(schema.required);
  const part = (kind: Part["kind"], name: string, schema: Schema): Part => ({ kind, name, required: kind === "member" && required.has(name), schema });
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => part("member", name, member));
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, member]) => part("pattern", pattern, member));
  const any = typeof schema.additionalProperties === "object" ? [part("any", "", schema.additionalProperties)] : [];
  const all = (schema.allOf ?? []).flatMap(inner);
  const choices = (schema.oneOf ?? schema.anyOf ?? []).filter((choice) => !isPlain(root, choice));
  // A list of objects is opened to their members at once; what else it is a list of, its type says.
  const items = typeof schema.items === "object" ? inner(schema.items) : [];
  // One choice, beside nothing, is what it is a choice of.
  const [only] = choices;
  const chosen = only && choices.length === 1 ? inner(only) : choices.map((choice, n) => part("choice", nameOf(choice) ?? String(n + 1), choice));
  return merged([...all, ...members, ...patterns, ...any, ...chosen, ...items]);
}

/** Of members that are there twice, as where a schema narrows another one, the first. */
function merged(parts: Part[]): Part[] {
  const seen = new Set<string>();
  return parts.filter(({ kind, name }) => {
    const key = `${kind} ${name}`;
    return kind === "choice" || (!seen.has(key) && seen.add(key));
  });
}

/** Whether a type says all of a schema, so that there is nothing to open. */
function isPlain(root: Root, given: Schema): boolean {
  const { properties, patternProperties, additionalProperties, items, oneOf, anyOf, allOf } = resolved<Schema>(root, given);
  return !(properties ?? patternProperties ?? oneOf ?? anyOf ?? allOf) && typeof additionalProperties !== "object" && typeof items !== "object";
}
