// What a plan of the server says, as people read it: by collection, with what it costs and what is lost.

import type { components } from "~/api/schema";

import type { Exported } from "../queries";
import type { Outline } from "./reading";

type Schemas = components["schemas"];
export type Plan = Schemas["SchemaPlan"];
export type Step = Schemas["SchemaStep"];

/** What becomes of a collection. */
export interface Group {
  slug: string;
  label: string;
  kind: "made" | "changed" | "deleted";
  /** In the order in which they are taken. */
  steps: Step[];
  /** How many fields a new collection gets. */
  fields: number;
}

/** What a name of a plan is about: `posts`, or `posts.body`. */
export function partsOf(name: string): { collection: string; field: string | undefined } {
  const [collection = "", field] = name.split(".");
  return { collection, field };
}

/** What things are called, there and in the file. */
export class Names {
  readonly #there: Map<string, Exported>;
  readonly #wanted: Map<string, Outline>;

  constructor(there: readonly Exported[], wanted: readonly Outline[]) {
    this.#there = new Map(there.map((collection) => [collection.slug, collection]));
    this.#wanted = new Map(wanted.map((collection) => [collection.slug, collection]));
  }

  collection(slug: string): string {
    return this.#there.get(slug)?.label ?? this.#wanted.get(slug)?.label ?? slug;
  }

  field(collection: string, slug: string): string {
    const found = this.#there.get(collection)?.fields.find((field) => field.slug === slug) ?? this.#wanted.get(collection)?.fields.find((field) => field.slug === slug);
    return found?.label ?? slug;
  }

  /** How many fields a collection of the file has. */
  fields(slug: string): number {
    return this.#wanted.get(slug)?.fields.length ?? 0;
  }

  /** The type of a field as it is there, or as it is wanted. */
  type(collection: string, slug: string, isWanted: boolean): string | undefined {
    const fields: readonly { slug: string; type: string }[] = (isWanted ? this.#wanted : this.#there).get(collection)?.fields ?? [];
    return fields.find((field) => field.slug === slug)?.type;
  }
}

/** The steps of a plan by collection; the collections in the order of what they are called in addresses. */
export function groupsOf({ steps }: Plan, names: Names): Group[] {
  const groups = new Map<string, Group>();
  for (const step of steps) {
    const { collection: slug } = partsOf(step.name);
    const group = groups.get(slug) ?? { slug, label: names.collection(slug), kind: "changed", steps: [], fields: names.fields(slug) };
    groups.set(slug, group);
    group.steps.push(step);
    if (step.action === "create_collection") group.kind = "made";
    if (step.action === "delete_collection") group.kind = "deleted";
  }
  return [...groups.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** How many of everything a plan makes, changes and deletes. */
export function countsOf({ steps }: Plan) {
  const count = (...actions: Step["action"][]) => steps.filter(({ action }) => actions.includes(action)).length;
  return {
    collections: { made: count("create_collection"), changed: count("update_collection"), deleted: count("delete_collection") },
    fields: { made: count("create_field"), changed: count("update_field"), renamed: count("rename_field"), deleted: count("delete_field") },
  };
}

/** What of a step takes time, or may fail when it comes to it. */
export type Cost = "retype" | "index" | "unique" | "required" | "sameInAll" | "composite";

export function costsOf({ action, changes }: Step): Cost[] {
  const becomes = (member: string, value: unknown) => changes.some((change) => change.member === member && change.to === value);
  const isChanged = (member: string) => changes.some((change) => change.member === member);
  if (action === "update_collection") return isChanged("indexes") ? ["composite"] : [];
  if (action !== "update_field") return [];
  const costs: [Cost, boolean][] = [
    ["retype", isChanged("type")],
    ["index", becomes("indexed", true)],
    ["unique", becomes("unique", true)],
    ["required", becomes("required", true)],
    ["sameInAll", becomes("translatable", false)],
  ];
  return costs.filter(([, is]) => is).map(([cost]) => cost);
}

/** Steps that delete something that entries have. */
export function lossesOf({ steps }: Plan): (Step & { loses: number })[] {
  return steps.flatMap((step) => (step.loses === null ? [] : [{ ...step, loses: step.loses }]));
}

/** What somebody agreed to lose: another number of entries is another question. */
export function consentOf({ name, loses }: Pick<Step, "name" | "loses">): string {
  return `${name} ${loses}`;
}

/** The new names that a field that goes may have in the file, those of the same type first. */
export function newNamesOf(step: Step, { steps }: Plan, names: Names): string[] {
  const { collection, field = "" } = partsOf(step.name);
  const made = steps.filter(({ action, name }) => action === "create_field" && partsOf(name).collection === collection).map(({ name }) => partsOf(name).field ?? "");
  const type = names.type(collection, field, false);
  const isOther = (slug: string) => Number(names.type(collection, slug, true) !== type);
  return [...made].sort((a, b) => isOther(a) - isOther(b));
}

/** What somebody says of a file that it does not say itself. */
export interface Declared {
  /** Whether collections that the file does not have stay. */
  isPartial: boolean;
  /** What fields are called in the file, by what they are called there: `posts.title`. */
  renames: ReadonlyMap<string, string>;
  /** Fields whose values are converted where they are none of the type that the file gives it. */
  convert: ReadonlySet<string>;
}

/** What the server is asked, but for the collections. */
export function bodyOf({ isPartial, renames, convert }: Declared) {
  // A map's names are members of their own, whatever objects have of themselves.
  return { partial: isPartial, renames: Object.fromEntries(renames), convert: [...convert] };
}

/** A body of JSON with the collections in it as they are written; its own are none. */
export function withCollections(body: Record<string, unknown>, collections: string): string {
  const text = JSON.stringify({ ...body, collections: undefined });
  return `{"collections":${collections}${text === "{}" ? "" : ","}${text.slice(1)}`;
}
