// What a control needs to know of a field, whether it is one of the collection or one in the rows of a repeater.

import type { Issue } from "~/api/errors";

import type { Field, SubField, Validation } from "../model/values";

export type FieldType = Field["type"];

/** A field of a collection, or of a repeater's rows. */
export interface Shaped {
  /** None for one in the rows of a repeater. */
  id?: string;
  slug: string;
  label: string;
  type: FieldType;
  required: boolean;
  validation: Validation;
  options: Record<string, unknown>;
}

export interface ControlProps {
  field: Shaped;
  /** Belongs on the element that the label is for. */
  id: string;
  value: unknown;
  onChange: (value: unknown) => void;
  describedBy: string | undefined;
  /** What those elements say, for where they cannot be named. */
  description: string | undefined;
  isInvalid: boolean;
  readOnly: boolean;
  /** What is wrong with parts of the value, by paths that begin inside it. */
  issues: Issue[];
}

export function shapedField({ id, slug, label, type, required, validation, options }: Field): Shaped {
  return { id, slug, label, type, required, validation: validation ?? {}, options: options ?? {} };
}

export function shapedSubField({ slug, label, type, required, options }: SubField): Shaped {
  return { slug, label, type, required, validation: options ? { options } : {}, options: {} };
}

/** Types whose control is several elements, which one label cannot be for. */
const GROUPS: FieldType[] = ["datetime", "multiSelect", "portableText", "image", "file", "reference", "repeater", "json"];

export function isGroup({ type }: Shaped): boolean {
  return GROUPS.includes(type);
}

/** How wide a field is in the form, of twelve columns. */
export type Width = "full" | "half" | "third" | "two-thirds";

/** When a field is shown: as long as another one has some value, or any. */
export interface Condition {
  field: string;
  equals?: unknown;
  in?: unknown[];
  isSet?: boolean;
}

/** What a field's options say of its place and look. What is not understood is passed over. */
export interface Look {
  help: string | undefined;
  placeholder: string | undefined;
  rows: number | undefined;
  width: Width;
  tab: string | undefined;
  group: string | undefined;
  condition: Condition | undefined;
  /** Of a slug field: the field that it is made from. */
  source: string | undefined;
}

const WIDTHS: readonly string[] = ["full", "half", "third", "two-thirds"];

const looks = new WeakMap<object, Look>();

export function lookOf({ options }: { options: Record<string, unknown> | null }): Look {
  const given = options ?? {};
  const known = looks.get(given);
  if (known) return known;
  const text = (name: string) => (typeof given[name] === "string" && given[name].trim() !== "" ? given[name] : undefined);
  const look: Look = {
    help: text("help") ?? text("description"),
    placeholder: text("placeholder"),
    rows: typeof given.rows === "number" && given.rows >= 1 && given.rows <= 60 ? Math.round(given.rows) : undefined,
    width: WIDTHS.includes(text("width") ?? "") ? (given.width as Width) : "full",
    tab: text("tab"),
    group: text("group"),
    condition: conditionOf(given.condition),
    source: text("source"),
  };
  looks.set(given, look);
  return look;
}

function conditionOf(given: unknown): Condition | undefined {
  if (typeof given !== "object" || given === null || typeof (given as Condition).field !== "string") return undefined;
  return given as Condition;
}

/** Whether a condition holds of a value. */
export function holds(condition: Condition, value: unknown): boolean {
  const given = value ?? null;
  if (Array.isArray(condition.in)) return condition.in.includes(given);
  if (typeof condition.isSet === "boolean") return condition.isSet === (given !== null && given !== "");
  if (!("equals" in condition)) return true;
  return Array.isArray(given) ? given.includes(condition.equals) : given === (condition.equals ?? null);
}
