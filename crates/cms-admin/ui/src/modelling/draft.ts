// A field as the form has it, with texts where people type, and what of it is sent.

import type { components } from "~/api/schema";
import type { ContentField } from "~/api/types";
import { isSame } from "~/lib/same";

import { isAble, rulesOf, type FieldType } from "./fieldTypes";

type Schemas = components["schemas"];
export type FieldChange = Schemas["UpdateFieldBody"];
export type NewField = Schemas["CreateFieldBody"];
type Validation = NonNullable<ContentField["validation"]>;
type SubField = NonNullable<Validation["subFields"]>[number];

export interface SubDraft {
  /** Stays with it while it moves. */
  key: string;
  slug: string;
  label: string;
  type: SubField["type"];
  required: boolean;
  /** One in each line. */
  options: string;
}

/** When a field is shown, by the value of another one. */
export interface ConditionDraft {
  field: string;
  is: "set" | "empty" | "equals" | "oneOf";
  /** The value; of `oneOf` one in each line. */
  value: string;
}

/** Members are called as the server calls them, so that what it finds wrong lands where it was typed. */
export interface Draft {
  label: string;
  slug: string;
  type: FieldType;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  searchable: boolean;
  translatable: boolean;
  defaultValue: unknown;
  validation: {
    min: string;
    max: string;
    minDate: string | null;
    maxDate: string | null;
    minLength: string;
    maxLength: string;
    pattern: string;
    options: string;
    subFields: SubDraft[];
    minItems: string;
    maxItems: string;
    allowedMimeTypes: string;
  };
  options: {
    help: string;
    placeholder: string;
    rows: string;
    width: string;
    group: string;
    tab: string;
    condition: ConditionDraft;
    source: string;
    collection: string;
    allowMultiple: boolean;
    onDelete: string;
  };
}

/** What a reference to entries of any collection has for a collection in the form: no slug is called so. */
export const ANY = "*";

const NO_CONDITION: ConditionDraft = { field: "", is: "set", value: "" };

/** Options that only some types have. All others are about the form. */
const OPTIONS_OF: Partial<Record<keyof Draft["options"], readonly FieldType[]>> = {
  placeholder: ["string", "text", "url", "slug", "number", "integer"],
  rows: ["text"],
  source: ["slug"],
  collection: ["reference"],
  allowMultiple: ["reference"],
  onDelete: ["reference"],
};

export function hasOption(type: FieldType, option: keyof Draft["options"]): boolean {
  return OPTIONS_OF[option]?.includes(type) ?? true;
}

export function newSubField(): SubDraft {
  return { key: crypto.randomUUID(), slug: "", label: "", type: "string", required: false, options: "" };
}

/** A field of a type that nobody has said anything of yet. */
export function newDraft(type: FieldType): Draft {
  const draft = draftOf({ label: "", slug: "", type, required: false, unique: false, indexed: false, searchable: isAble({ type }, "searched"), translatable: true, defaultValue: null, validation: null, options: null });
  // Which collection is referred to is asked.
  return { ...draft, options: { ...draft.options, collection: "" }, validation: { ...draft.validation, subFields: type === "repeater" ? [newSubField()] : [] } };
}

type Given = Pick<ContentField, "label" | "slug" | "type" | "required" | "unique" | "indexed" | "searchable" | "translatable" | "defaultValue" | "validation" | "options">;

export function draftOf(field: Given): Draft {
  const { label, slug, type, required, unique, indexed, searchable, translatable, defaultValue } = field;
  const rules: Validation = field.validation ?? {};
  const options = field.options ?? {};
  const text = (name: string) => (typeof options[name] === "string" ? options[name] : typeof options[name] === "number" ? String(options[name]) : "");
  return {
    ...{ label, slug, type, required, unique, indexed, searchable, translatable },
    defaultValue: defaultValue ?? null,
    validation: {
      min: textOf(rules.min),
      max: textOf(rules.max),
      minDate: rules.minDate ?? null,
      maxDate: rules.maxDate ?? null,
      minLength: textOf(rules.minLength),
      maxLength: textOf(rules.maxLength),
      pattern: rules.pattern ?? "",
      options: (rules.options ?? []).join("\n"),
      subFields: (rules.subFields ?? []).map(({ slug, label, type, required, options }, n) => ({ key: `${n} ${slug}`, slug, label, type, required, options: (options ?? []).join("\n") })),
      minItems: textOf(rules.minItems),
      maxItems: textOf(rules.maxItems),
      allowedMimeTypes: (rules.allowedMimeTypes ?? []).join("\n"),
    },
    options: {
      help: text("help") || text("description"),
      placeholder: text("placeholder"),
      rows: text("rows"),
      width: text("width") || "full",
      group: text("group"),
      tab: text("tab"),
      condition: conditionDraft(options.condition),
      source: text("source"),
      collection: text("collection") || (type === "reference" ? ANY : ""),
      allowMultiple: options.allowMultiple === true,
      onDelete: text("onDelete") || "clear",
    },
  };
}

function textOf(number: number | null | undefined): string {
  return number === null || number === undefined ? "" : String(number);
}

function conditionDraft(given: unknown): ConditionDraft {
  if (typeof given !== "object" || given === null || typeof (given as { field?: unknown }).field !== "string") return NO_CONDITION;
  const { field, equals, in: among, isSet } = given as { field: string; equals?: unknown; in?: unknown; isSet?: unknown };
  if (Array.isArray(among)) return { field, is: "oneOf", value: among.map(String).join("\n") };
  if (typeof isSet === "boolean") return { field, is: isSet ? "set" : "empty", value: "" };
  if (equals === undefined) return { field, is: "set", value: "" };
  return equals === null ? { field, is: "empty", value: "" } : { field, is: "equals", value: typeof equals === "string" ? equals : JSON.stringify(equals) };
}

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Whether a text is a number, or empty. */
function isNumber(text: string): boolean {
  return text.trim() === "" || Number.isFinite(Number(text));
}

const NUMBERS = ["min", "max", "minLength", "maxLength", "minItems", "maxItems"] as const;

/** What is wrong with texts that have to be numbers, by where they are. */
export function notNumbers({ validation, options }: Draft, problem: string): Record<string, string> {
  const wrong = [...NUMBERS.filter((rule) => !isNumber(validation[rule])).map((rule) => `validation.${rule}`), ...(isNumber(options.rows) ? [] : ["options.rows"])];
  return Object.fromEntries(wrong.map((path) => [path, problem]));
}

function numberOf(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

/** What another field's value is compared with, as it is stored. */
function comparedWith(text: string, type: FieldType | undefined): unknown {
  if (type === "boolean") return text === "true";
  return (type === "number" || type === "integer") && text !== "" && isNumber(text) ? Number(text) : text;
}

/** The condition as the editor reads it. */
function conditionOf({ field, is, value }: ConditionDraft, typeOf: (slug: string) => FieldType | undefined): unknown {
  if (field === "") return undefined;
  if (is === "set" || is === "empty") return { field, isSet: is === "set" };
  return is === "oneOf" ? { field, in: linesOf(value).map((line) => comparedWith(line, typeOf(field))) } : { field, equals: comparedWith(value, typeOf(field)) };
}

/** What is left out has no value: the types of what is listed do not say so. */
function isGiven(value: unknown): boolean {
  return value !== undefined;
}

function validationOf({ type, validation: given, options }: Draft): Validation {
  const rules: Validation = {
    min: numberOf(given.min),
    max: numberOf(given.max),
    minDate: given.minDate ?? undefined,
    maxDate: given.maxDate ?? undefined,
    minLength: numberOf(given.minLength),
    maxLength: numberOf(given.maxLength),
    pattern: given.pattern || undefined,
    options: some(linesOf(given.options)),
    subFields: some(given.subFields.map(subFieldOf)),
    minItems: numberOf(given.minItems),
    maxItems: numberOf(given.maxItems),
    allowedMimeTypes: some(linesOf(given.allowedMimeTypes)),
  };
  const applicable: readonly string[] = rulesOf({ type, isMany: options.allowMultiple });
  return Object.fromEntries(Object.entries(rules).filter(([rule, value]) => isGiven(value) && applicable.includes(rule)));
}

function subFieldOf({ slug, label, type, required, options }: SubDraft): SubField {
  const choices = linesOf(options);
  return { slug: slug.trim(), type, label: label.trim(), required, ...(type === "select" && choices.length > 0 ? { options: choices } : {}) };
}

function some<Item>(items: Item[]): Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

function optionsOf({ type, options: given }: Draft, typeOf: (slug: string) => FieldType | undefined): Record<string, unknown> {
  const options: Record<keyof Draft["options"], unknown> = {
    help: given.help.trim() || undefined,
    placeholder: given.placeholder.trim() || undefined,
    rows: numberOf(given.rows),
    width: given.width === "full" ? undefined : given.width,
    group: given.group.trim() || undefined,
    tab: given.tab.trim() || undefined,
    condition: conditionOf(given.condition, typeOf),
    source: given.source || undefined,
    collection: given.collection === ANY ? undefined : given.collection || undefined,
    allowMultiple: given.allowMultiple || undefined,
    onDelete: given.onDelete === "clear" ? undefined : given.onDelete,
  };
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== undefined && hasOption(type, name as keyof Draft["options"])));
}

/** What is there, with those members changed that differ between two readings of it. What this form does not know stays. */
function merged(there: Record<string, unknown>, before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSame(before[name], after[name]));
  const changed = Object.fromEntries(names.map((name) => [name, after[name]]));
  return Object.fromEntries(Object.entries({ ...there, ...changed }).filter(([, value]) => value !== undefined));
}

/** A field with all that a form says of it. */
export function fieldOf(draft: Draft, siblings: readonly Pick<ContentField, "slug" | "type">[], there?: Given) {
  const typeOf = (slug: string) => siblings.find((field) => field.slug === slug)?.type;
  const { type, label, slug, required, defaultValue, translatable } = draft;
  const isMany = draft.options.allowMultiple;
  const able = { type, isMany };
  const before = there && draftOf(there);
  const rules = merged(there?.validation ?? {}, before ? validationOf(before) : {}, validationOf(draft));
  const options = merged(there?.options ?? {}, before ? optionsOf(before, typeOf) : {}, optionsOf(draft, typeOf));
  // The older name of the help.
  if (before && before.options.help !== draft.options.help) delete options.description;
  const applicable: readonly string[] = rulesOf(able);
  return {
    label: label.trim(),
    slug: slug.trim(),
    type,
    required,
    unique: draft.unique && isAble(able, "sorted"),
    indexed: draft.indexed && isAble(able, "indexed"),
    searchable: draft.searchable && isAble(able, "searched"),
    translatable,
    defaultValue: there && there.type !== type ? null : defaultValue,
    validation: Object.fromEntries(Object.entries(rules).filter(([rule]) => applicable.includes(rule))) as Validation,
    options: Object.fromEntries(Object.entries(options).filter(([name]) => OPTIONS_OF[name as keyof Draft["options"]]?.includes(type) ?? true)),
  };
}

/** What is sent of a new field. */
export function newFieldBody(draft: Draft, siblings: readonly ContentField[]): NewField {
  const { validation, options, defaultValue, ...rest } = fieldOf(draft, siblings);
  return {
    ...rest,
    ...(Object.keys(validation).length > 0 ? { validation } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(defaultValue === null ? {} : { defaultValue }),
  };
}

/** What is sent of a field that is there: the members that somebody changed. */
export function changesOf(field: Given, draft: Draft, siblings: readonly ContentField[]): FieldChange {
  const before: Record<string, unknown> = { ...field, validation: field.validation ?? {}, options: field.options ?? {}, defaultValue: field.defaultValue ?? null };
  const changed = Object.entries(fieldOf(draft, siblings, field)).filter(([name, value]) => name !== "slug" && !isSame(before[name], value));
  return Object.fromEntries(changed.map(([name, value]) => [name, isCleared(name, value) ? null : value]));
}

function isCleared(name: string, value: unknown): boolean {
  return (name === "validation" || name === "options") && Object.keys(value as object).length === 0;
}
