// A field as it would be with another type: what is asked for it, what it loses, what is in its way, and what takes it back.

import type { Collection, ContentField } from "~/api/types";
import { titleField } from "~/content/titleField";
import { isSame } from "~/lib/same";

import { changesOf, draftOf, fieldOf, newDraft, type Draft, type FieldChange } from "../draft";
import { isAble, rulesOf, type FieldType, type Rule } from "../fieldTypes";

/** How values are stored: of a reference, whether they are lists. */
export interface Form {
  type: FieldType;
  allowMultiple: boolean;
}

export function formOf({ type, options }: Pick<ContentField, "type" | "options">): Form {
  return { type, allowMultiple: type === "reference" && options?.allowMultiple === true };
}

/** A field with another type, as a form begins with it. What it loses by that is not in it. */
export function retyped(field: ContentField, { type, allowMultiple }: Form): Draft {
  const before = draftOf(field);
  const fresh = newDraft(type);
  const isOther = type !== field.type;
  return {
    ...before,
    type,
    defaultValue: isOther ? null : before.defaultValue,
    validation: { ...before.validation, subFields: isOther ? fresh.validation.subFields : before.validation.subFields },
    options: { ...before.options, collection: isOther ? fresh.options.collection : before.options.collection, allowMultiple },
  };
}

/** A field in the collection that it was read with. */
export interface Place {
  collection: Collection;
  field: ContentField;
}

/** A change that somebody is about to make: of what, and to what. */
export interface Work {
  place: Place;
  draft: Draft;
  /** Each beginning is another one, which knows nothing of what went wrong before. */
  round: number;
}

export function workOn(place: Place, form: Form): Work {
  return { place, draft: retyped(place.field, form), round: 0 };
}

/** What somebody has said of a new type, over a field that is another one by now. */
export function rebased(draft: Draft, field: ContentField): Draft {
  const { allowMultiple, collection, onDelete } = draft.options;
  const fresh = retyped(field, { type: draft.type, allowMultiple });
  const { options, subFields } = draft.validation;
  return { ...fresh, validation: { ...fresh.validation, options, subFields }, options: { ...fresh.options, collection, onDelete } };
}

/** Whether all is said that a field of the type cannot be without. */
export function isComplete({ type, options, validation: { subFields } }: Draft): boolean {
  if (type === "reference") return options.collection !== "";
  if (type !== "repeater") return true;
  const slugs = subFields.map(({ slug }) => slug.trim());
  return subFields.length > 0 && subFields.every(({ label }) => label.trim() !== "") && slugs.every((slug) => slug !== "") && new Set(slugs).size === slugs.length;
}

/** What a field has now and would not have any more. */
export interface Lost {
  rules: Rule[];
  traits: ("unique" | "indexed" | "searchable")[];
  options: ("placeholder" | "rows" | "source")[];
  hasDefault: boolean;
}

const TRAITS = ["unique", "indexed", "searchable"] as const;
const OPTIONS = ["placeholder", "rows", "source"] as const;

export function lostBy(field: ContentField, draft: Draft, siblings: readonly ContentField[]): Lost {
  const after = fieldOf(draft, siblings, field);
  const able = { type: draft.type, isMany: draft.options.allowMultiple };
  return {
    rules: rulesOf({ type: field.type, isMany: formOf(field).allowMultiple }).filter((rule) => isSaid(field.validation?.[rule]) && !rulesOf(able).includes(rule)),
    traits: TRAITS.filter((trait) => field[trait] && !after[trait]),
    options: OPTIONS.filter((option) => isSaid(field.options?.[option]) && !isSaid(after.options[option])),
    hasDefault: isSaid(field.defaultValue) && after.defaultValue === null,
  };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** What a field is for its collection, which with another type it cannot be: the server refuses that. */
export type Obstacle = "titleField" | "dateField" | "listColumns" | "indexes";

export function obstacles(collection: Collection, slug: string, { type, allowMultiple }: Form): Obstacle[] {
  const able = { type, isMany: allowMultiple };
  const isIndexed = collection.indexes.some(({ fields }) => fields.includes(slug));
  return [
    ...(collection.titleField === slug && !isAble(able, "text") ? (["titleField"] as const) : []),
    ...(collection.dateField === slug && type !== "datetime" ? (["dateField"] as const) : []),
    ...((collection.admin?.listColumns ?? []).includes(slug) && !isAble(able, "indexed") ? (["listColumns"] as const) : []),
    ...(isIndexed && !isAble(able, "sorted") ? (["indexes"] as const) : []),
  ];
}

/** Whether entries are named by the field because of what it is called, and would have no name with another type. */
export function losesNames(collection: Collection, slug: string, { type }: Form): boolean {
  return !collection.titleField && titleField(collection)?.slug === slug && !isAble({ type }, "text");
}

/** What is sent for a change of type; of what the form has, only what the type has to do with. */
export function retypeBody(field: ContentField, draft: Draft, siblings: readonly ContentField[]): FieldChange {
  const { type } = draft;
  return { type, ...changesOf(field, draft, siblings) };
}

/** What brings back all that a change made another: the former type, its rules, its options, its default value. */
export function undoBody(before: ContentField, after: ContentField): FieldChange {
  const was: Required<Pick<FieldChange, "type" | "validation" | "options" | "defaultValue" | "unique" | "indexed" | "searchable">> = {
    type: before.type,
    validation: before.validation ?? null,
    options: before.options ?? null,
    defaultValue: before.defaultValue ?? null,
    unique: before.unique,
    indexed: before.indexed,
    searchable: before.searchable,
  };
  const is: Record<string, unknown> = { ...after, validation: after.validation ?? null, options: after.options ?? null, defaultValue: after.defaultValue ?? null };
  return Object.fromEntries(Object.entries(was).filter(([name, value]) => name === "type" || !isSame(is[name], value)));
}
