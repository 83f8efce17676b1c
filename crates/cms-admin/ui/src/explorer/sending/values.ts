// What is typed into the form of an operation: what of it is sent, and what is wrong with it.

import { isSegment, type Argument } from "../snippets/call";
import { isJson } from "../snippets/json";
import { describe } from "../document/describe";
import type { Parameter } from "../document/operations";
import { resolved } from "../document/resolve";
import type { Root, Schema } from "../document/types";

/** What is typed, by the names of parameters. A `Map`, since a parameter may be called anything. */
export type Values = ReadonlyMap<string, string>;

/** What is wrong with a value. */
export type Problem = "required" | "segment" | "json" | "integer" | "number";

/** How a value is asked for. */
export type Control = { kind: "text" } | { kind: "number"; isInteger: boolean } | { kind: "json" } | { kind: "choice"; values: string[]; isText: boolean };

/** A value and a parameter of the same name elsewhere are two. */
export const keyOf = ({ in: place, name }: Pick<Parameter, "in" | "name">) => `${place} ${name}`;

export function controlOf(root: Root, parameter: Parameter): Control {
  const { values, type } = describe(root, parameter.schema);
  const types = [resolved<Schema>(root, parameter.schema).type ?? []].flat();
  if (types.includes("boolean") && types.length === 1) return { kind: "choice", values: ["true", "false"], isText: false };
  if (values.length > 0 && !types.includes("array") && !types.includes("object")) {
    const isText = values.every(({ value }) => value.startsWith('"'));
    return { kind: "choice", values: values.map(({ value }) => (isText ? (JSON.parse(value) as string) : value)), isText };
  }
  if (types.length === 1 && (types[0] === "integer" || types[0] === "number")) return { kind: "number", isInteger: types[0] === "integer" };
  if (parameter.isJson || types.includes("object") || types.includes("array") || (parameter.in === "argument" && type === "any")) return { kind: "json" };
  return { kind: "text" };
}

/** A value as JSON has numbers, of any length. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const INTEGER = /^-?(0|[1-9]\d*)$/;

export function problemOf(root: Root, parameter: Parameter, text: string): Problem | undefined {
  if (text === "") return parameter.required ? "required" : undefined;
  if (parameter.in === "path" && !isSegment(text)) return "segment";
  const control = controlOf(root, parameter);
  if (control.kind === "json" && !isJson(text)) return "json";
  if (control.kind === "number") {
    if (control.isInteger && !INTEGER.test(text)) return "integer";
    if (!NUMBER.test(text)) return "number";
  }
  return undefined;
}

/** The values that are given, in the order of the parameters. */
export function argumentsOf(root: Root, parameters: Parameter[], values: Values): Argument[] {
  return parameters.flatMap((parameter): Argument[] => {
    const value = values.get(keyOf(parameter)) ?? "";
    if (value === "") return [];
    const control = controlOf(root, parameter);
    const isRaw = control.kind === "json" || control.kind === "number" || (control.kind === "choice" && !control.isText);
    // A tool's argument has the place that the address of its operation would give it: that does not matter to the tool.
    return [{ name: parameter.name, in: parameter.in === "argument" ? "query" : parameter.in, value, ...(isRaw ? { isJson: true } : {}) }];
  });
}
