// What refers to what: every collection as a box, with a row for each of its references.

import type { Exported } from "../queries";

/** How many entries a reference names. */
export type Count = "one" | "maybeOne" | "some" | "any";

/** A reference of a collection. */
export interface Row {
  slug: string;
  label: string;
  count: Count;
  /** The place of the box that it refers to; none where it takes entries of any collection. */
  target: number | undefined;
}

export interface Box {
  slug: string;
  label: string;
  /** There is no such collection any more, and still something refers to it. */
  isMissing: boolean;
  /** How many fields the collection has. */
  fields: number;
  rows: Row[];
  /** It is not what was looked for, but related to it. */
  isBeside: boolean;
}

/** A row that refers to a box. */
export interface Arrow {
  from: number;
  row: number;
  to: number;
}

/** A reference of a model, as the server writes it. */
type Reference = Pick<Exported["fields"][number], "options" | "required" | "validation">;

function countOf({ options, required, validation }: Reference): Count {
  if (options.allowMultiple !== true) return required ? "one" : "maybeOne";
  return required || (validation.minItems ?? 0) > 0 ? "some" : "any";
}

/** The collections as boxes, in their order; behind them those that are referred to and missing. */
export function boxesOf(model: Pick<Exported, "slug" | "label" | "fields">[]): Box[] {
  // A name may be that of anything that objects have: it is looked up in maps.
  const places = new Map(model.map(({ slug }, place) => [slug, place]));
  const missing: Box[] = [];
  const placeOf = (target: unknown): number | undefined => {
    if (typeof target !== "string") return undefined;
    const known = places.get(target);
    if (known !== undefined) return known;
    const place = model.length + missing.length;
    places.set(target, place);
    missing.push({ slug: target, label: target, isMissing: true, fields: 0, rows: [], isBeside: false });
    return place;
  };
  const boxes = model.map(({ slug, label, fields }): Box => {
    const references = fields.filter(({ type }) => type === "reference");
    const rows = references.map((field): Row => ({ slug: field.slug, label: field.label, count: countOf(field), target: placeOf(field.options.collection) }));
    return { slug, label, isMissing: false, fields: fields.length, rows, isBeside: false };
  });
  return [...boxes, ...missing];
}

/** Every reference to a box of these. */
export function arrowsOf(boxes: readonly Box[]): Arrow[] {
  return boxes.flatMap(({ rows }, from) => rows.flatMap(({ target }, row) => (target === undefined ? [] : [{ from, row, to: target }])));
}

/** The boxes whose name has a text in it, with those that they are related to. */
export function narrowed(boxes: readonly Box[], text: string): Box[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...boxes];
  const found = new Set(boxes.flatMap(({ slug, label }, place) => (slug.includes(wanted) || label.toLowerCase().includes(wanted) ? [place] : [])));
  const related = arrowsOf(boxes).flatMap(({ from, to }) => (found.has(from) ? [to] : found.has(to) ? [from] : []));
  const kept = [...new Set([...found, ...related])].sort((a, b) => a - b);
  const places = new Map(kept.map((place, n) => [place, n]));
  return kept.flatMap((place) => {
    const box = boxes[place];
    if (!box) return [];
    const isBeside = !found.has(place);
    // What is only related shows why it is, and not what else it refers to.
    const rows = box.rows.filter(({ target }) => !isBeside || (target !== undefined && found.has(target)));
    return [{ ...box, isBeside, rows: rows.map((row) => ({ ...row, target: row.target === undefined ? undefined : places.get(row.target) })) }];
  });
}
