// A body to begin with: what has to be in it, and of that what the document says it may be.

import { resolved } from "./resolve";
import type { Root, Schema } from "./types";

/** How deep members of members are filled in. */
const DEEP = 5;

/** A body with the members that it has to have. */
export function sampleOf(root: Root, schema: Schema | undefined): string {
  return JSON.stringify(schema ? valueOf(root, schema, 0) : {}, undefined, 2);
}

function valueOf(root: Root, given: Schema, deep: number): unknown {
  const schema = resolved<Schema>(root, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [first] = schema.enum ?? [];
  if (first !== undefined) return first;
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice) return deep > DEEP ? null : valueOf(root, choice, deep + 1);
  const [type] = [schema.type ?? (schema.properties || schema.allOf ? "object" : "null")].flat();
  if (type === "object") return deep > DEEP ? {} : membersOf(root, schema, deep);
  if (type === "array") return typeof schema.items === "object" && (schema.minItems ?? 0) > 0 && deep <= DEEP ? [valueOf(root, schema.items, deep + 1)] : [];
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  return type === "boolean" ? false : type === "string" ? "" : null;
}

function membersOf(root: Root, { allOf = [], properties = {}, required = [] }: Schema, deep: number): object {
  const inherited = allOf.map((other) => valueOf(root, other, deep + 1));
  const own = required.flatMap((name): [string, unknown][] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return member ? [[name, valueOf(root, member, deep + 1)]] : [];
  });
  return inherited.concat(Object.fromEntries(own)).reduce<object>((all, some) => ({ ...all, ...(some as object) }), {});
}
