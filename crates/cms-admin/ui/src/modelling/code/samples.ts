// Values as somebody might write them, by the type and the rules of a field.

import type { ContentField } from "~/api/types";

type Field = Pick<ContentField, "slug" | "label" | "type" | "required" | "defaultValue" | "validation" | "options">;

/** Ids of entries, in their form: whoever tries a request puts in one of their own. */
export const SAMPLE_ID = "01JZ8Q2V6M4T9W3XK7YB5CDEFG";
const OTHER_ID = "01JZ8Q2V6N0P1R2S3T4V5W6X7Y";

/** How many fields a sample has beside those that an entry must have. */
const MOST = 12;

/** The data of an entry as somebody might send it: what must be there, and some of what may be. Names stay as they are, whatever objects have of themselves. */
export function sampleData(fields: readonly Field[]): Record<string, unknown> {
  const others = fields.filter(({ required }) => !required).slice(0, MOST);
  const shown = new Set(others);
  return Object.fromEntries(fields.filter((field) => field.required || shown.has(field)).map((field) => [field.slug, sampleOf(field)]));
}

/** The first field that somebody would change. */
export function sampleChange(fields: readonly Field[]): Record<string, unknown> {
  const field = fields.find(({ type }) => type === "string" || type === "text") ?? fields[0];
  return field ? Object.fromEntries([[field.slug, sampleOf(field)]]) : {};
}

export function sampleOf({ slug, label, type, defaultValue, validation, options }: Field): unknown {
  if (defaultValue !== null && defaultValue !== undefined) return defaultValue;
  const rules = validation ?? {};
  switch (type) {
    case "string":
      return fitting(/title|name|headline/.test(slug) ? "Hello, world" : label, rules);
    case "text":
      return fitting("A few sentences without formatting.\nThey may have several lines.", rules);
    case "slug":
      return fitting("hello-world", rules);
    case "url":
      return fitting("https://example.com/", rules);
    case "number":
      return within(9.5, rules);
    case "integer":
      return Math.trunc(within(42, { min: rules.min && Math.ceil(rules.min), max: rules.max && Math.floor(rules.max) }));
    case "boolean":
      return true;
    case "datetime":
      return instant(rules);
    case "select":
      return rules.options?.[0] ?? "option";
    case "multiSelect":
      return (rules.options ?? ["one", "two"]).slice(0, Math.max(1, rules.minItems ?? 0, Math.min(2, rules.maxItems ?? 2)));
    case "portableText":
      return [
        {
          _type: "block",
          _key: "b1",
          style: "normal",
          markDefs: [],
          children: [{ _type: "span", _key: "s1", text: "Rich text as Portable Text.", marks: [] }],
        },
      ];
    case "image":
      return { id: "photo", provider: "external", src: "https://example.com/photo.jpg", filename: "photo.jpg", mimeType: mediaType(rules, "image/jpeg"), alt: label, width: 1200, height: 800 };
    case "file":
      return { id: "document", provider: "external", src: "https://example.com/document.pdf", filename: "document.pdf", mimeType: mediaType(rules, "application/pdf") };
    case "reference":
      if (options?.allowMultiple !== true) return SAMPLE_ID;
      return [SAMPLE_ID, OTHER_ID].slice(0, Math.max(1, Math.min(2, rules.maxItems ?? 2)));
    case "json":
      return { any: "data", numbers: [1, 2, 3] };
    case "repeater": {
      const row = Object.fromEntries((rules.subFields ?? []).map((field) => [field.slug, sampleOf(ofRow(field))]));
      return Array.from({ length: Math.max(1, rules.minItems ?? 0) }, () => row);
    }
  }
}

type SubField = NonNullable<NonNullable<Field["validation"]>["subFields"]>[number];

/** A field of a row as one of a collection. */
function ofRow({ slug, label, type, required, options }: SubField): Field {
  return { slug, label, type, required, defaultValue: null, validation: options ? { options } : {}, options: {} };
}

type Rules = NonNullable<Field["validation"]>;

/** As long as it may be, and as it has to be. What a pattern asks for, nobody can guess. */
function fitting(text: string, { minLength, maxLength }: Rules): string {
  const letters = Array.from(text);
  while (letters.length > 0 && letters.length < (minLength ?? 0)) letters.push(...Array.from(` ${text}`));
  return letters.slice(0, maxLength ?? undefined).join("");
}

function within(number: number, { min, max }: Pick<Rules, "min" | "max">): number {
  return Math.max(min ?? -Infinity, Math.min(max ?? Infinity, number));
}

function instant({ minDate, maxDate }: Rules): string {
  const usual = Date.UTC(2027, 0, 15, 9);
  const ends = [minDate ? Date.parse(minDate) : -Infinity, maxDate ? Date.parse(maxDate) : Infinity] as const;
  return new Date(Math.max(ends[0], Math.min(ends[1], usual))).toISOString().replace(".000Z", "Z");
}

function mediaType({ allowedMimeTypes }: Rules, usual: string): string {
  const allowed = allowedMimeTypes ?? [];
  if (allowed.length === 0 || allowed.some((type) => usual === type || (type.endsWith("/") && usual.startsWith(type)))) return usual;
  const first = allowed[0] ?? usual;
  return first.endsWith("/") ? `${first}example` : first;
}
