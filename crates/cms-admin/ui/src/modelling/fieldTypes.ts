// The types of fields in words, and what each can be.

import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import {
  AlignLeft, Asterisk, Binary, Braces, CalendarClock, CircleDot, File, Hash, Image, Link, Link2, ListChecks, Pilcrow, Rows3, ToggleLeft, Type,
  type LucideIcon,
} from "lucide-react";

import type { ContentField } from "~/api/types";

export type FieldType = ContentField["type"];

/** `text` names entries, `sorted` sorts lists and can be unique, `indexed` filters lists, `searched` is found by full-text search. */
export type Trait = "text" | "sorted" | "indexed" | "searched";

/** A rule for values, as the server calls it. */
export type Rule = keyof NonNullable<ContentField["validation"]>;

interface TypeWords {
  type: FieldType;
  icon: LucideIcon;
  name: MessageDescriptor;
  /** What it is for, in a sentence. */
  about: MessageDescriptor;
  traits: readonly Trait[];
  rules: readonly Rule[];
}

const LENGTHS = ["minLength", "maxLength", "pattern"] as const;
const ITEMS = ["minItems", "maxItems"] as const;
const LINE = ["text", "sorted", "indexed", "searched"] as const;

/** Every type, those that most collections have first. */
export const FIELD_TYPES: readonly TypeWords[] = [
  { type: "string", icon: Type, name: msg`Short text`, about: msg`One line, such as a title or a name.`, traits: LINE, rules: LENGTHS },
  { type: "text", icon: AlignLeft, name: msg`Long text`, about: msg`Several lines without formatting, such as a summary.`, traits: ["text", "searched"], rules: LENGTHS },
  { type: "portableText", icon: Pilcrow, name: msg`Rich text`, about: msg`Headings, lists, links, images: the body of an article.`, traits: ["searched"], rules: [] },
  { type: "reference", icon: Link2, name: msg`Reference`, about: msg`Another entry, or several: the author of an article.`, traits: ["sorted", "indexed"], rules: ITEMS },
  { type: "image", icon: Image, name: msg`Image`, about: msg`A picture with its description.`, traits: [], rules: ["allowedMimeTypes"] },
  { type: "datetime", icon: CalendarClock, name: msg`Date and time`, about: msg`A moment, such as the beginning of an event.`, traits: ["sorted", "indexed"], rules: ["minDate", "maxDate"] },
  { type: "boolean", icon: ToggleLeft, name: msg`Yes or no`, about: msg`A switch, such as “featured”.`, traits: ["sorted", "indexed"], rules: [] },
  { type: "select", icon: CircleDot, name: msg`Choice`, about: msg`One of some options, such as a category.`, traits: ["sorted", "indexed", "searched"], rules: ["options"] },
  { type: "multiSelect", icon: ListChecks, name: msg`Multiple choice`, about: msg`Several of some options, such as topics.`, traits: ["indexed", "searched"], rules: ["options", ...ITEMS] },
  { type: "integer", icon: Hash, name: msg`Whole number`, about: msg`A count or a position, without decimals.`, traits: ["sorted", "indexed"], rules: ["min", "max"] },
  { type: "number", icon: Binary, name: msg`Number`, about: msg`Any number, such as a price or a weight.`, traits: ["sorted", "indexed"], rules: ["min", "max"] },
  { type: "url", icon: Link, name: msg`Web address`, about: msg`A link to a page, an e-mail address or a phone number.`, traits: ["sorted", "indexed", "searched"], rules: LENGTHS },
  { type: "slug", icon: Asterisk, name: msg`Slug`, about: msg`A short name for addresses, made from another field.`, traits: LINE, rules: LENGTHS },
  { type: "file", icon: File, name: msg`File`, about: msg`A document to download, such as a PDF.`, traits: [], rules: ["allowedMimeTypes"] },
  { type: "repeater", icon: Rows3, name: msg`List of rows`, about: msg`Rows with fields of their own, such as ingredients.`, traits: ["searched"], rules: ["subFields", ...ITEMS] },
  { type: "json", icon: Braces, name: msg`JSON`, about: msg`Any data, for programs. People edit it as code.`, traits: [], rules: [] },
];

/** The rules in words, as they are above their controls. */
export const RULE_NAMES: Record<Rule, MessageDescriptor> = {
  min: msg`Least`,
  max: msg`Greatest`,
  minLength: msg`Fewest characters`,
  maxLength: msg`Most characters`,
  minItems: msg`At least`,
  maxItems: msg`At most`,
  minDate: msg`Earliest`,
  maxDate: msg`Latest`,
  pattern: msg`Pattern`,
  allowedMimeTypes: msg`Allowed types of files`,
  options: msg`Options`,
  subFields: msg`Fields of each row`,
};

/** The types that fields within rows can have. */
export const SUB_TYPES = ["string", "text", "url", "number", "integer", "boolean", "datetime", "select", "image"] as const satisfies readonly FieldType[];

/** A type in words; as JSON where this application does not know it yet. */
export function typeWords(type: FieldType): TypeWords {
  const known = FIELD_TYPES.find((words) => words.type === type) ?? FIELD_TYPES.at(-1);
  if (!known) throw new Error("there are no types of fields");
  return known;
}

/** Whether a field of a type can be something. A reference to several entries cannot be sorted by. */
export function isAble({ type, isMany = false }: { type: FieldType; isMany?: boolean }, trait: Trait): boolean {
  if (type === "reference" && isMany && trait === "sorted") return false;
  return typeWords(type).traits.includes(trait);
}

/** Whether a field of a type is worth being unique: of a yes or a no, there would be two entries at most. */
export function isWorthUnique(able: { type: FieldType; isMany?: boolean }): boolean {
  return isAble(able, "sorted") && able.type !== "boolean";
}

/** The rules that hold for a type. Only lists of references have a length. */
export function rulesOf({ type, isMany = false }: { type: FieldType; isMany?: boolean }): readonly Rule[] {
  return type === "reference" && !isMany ? [] : typeWords(type).rules;
}
