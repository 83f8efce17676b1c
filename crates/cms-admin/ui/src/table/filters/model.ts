// Filters of a list: what a screen declares that can be filtered by, and what somebody asks for.

/** What sort of values a field has: it decides which questions can be asked, and what is typed. */
export type FilterKind = "choice" | "text" | "number" | "boolean" | "date";

export type Operator = "is" | "in" | "contains" | "begins" | "atLeast" | "atMost" | "between" | "empty";

export interface Option {
  value: string;
  label: string;
}

/** Something that a list can be filtered by. */
export interface FilterField {
  id: string;
  label: string;
  kind: FilterKind;
  /** Those of the kind when left out. */
  operators?: readonly Operator[];
  /** Values to choose from. */
  options?: readonly Option[];
  /** Numbers have no fraction. */
  isWhole?: boolean;
  /** Of the fields with the same word only one can be filtered by at a time. */
  group?: string;
  /** Why it cannot be filtered by at present. */
  unavailable?: "notIndexed" | "building";
}

/** A question: which values pass. */
export interface Filter {
  field: string;
  operator: Operator;
  /** None for `empty`, two for `between`, any number for `in`, otherwise one. Days are the reader's, as in `2026-11-20`. */
  values: readonly string[];
}

const OPERATORS: Record<FilterKind, readonly Operator[]> = {
  choice: ["is"],
  text: ["contains", "is", "begins", "empty"],
  number: ["is", "atLeast", "atMost", "between", "empty"],
  boolean: ["is"],
  date: ["atLeast", "atMost", "between", "is"],
};

export const operatorsOf = ({ kind, operators }: FilterField): readonly Operator[] => operators ?? OPERATORS[kind];

/** How many values an operator takes. */
export function arity(operator: Operator): number {
  return operator === "empty" ? 0 : operator === "between" ? 2 : 1;
}

/** The longest text that is compared with: as much as the server takes. */
export const MAX_TEXT = 2048;

/** Whether the values are such that the server can be asked. */
export function isComplete(field: FilterField, { operator, values }: Filter): boolean {
  if (!operatorsOf(field).includes(operator)) return false;
  if (operator === "in") return values.length > 0 && values.every((value) => isValue(field, value));
  return values.length === arity(operator) && values.every((value) => isValue(field, value));
}

function isValue({ kind, isWhole }: FilterField, value: string): boolean {
  if (kind === "number") return value.trim() !== "" && (isWhole ? Number.isSafeInteger(Number(value)) : Number.isFinite(Number(value)));
  if (kind === "boolean") return value === "true" || value === "false";
  if (kind === "date") return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  return value !== "" && value.length <= MAX_TEXT;
}

/** The filters with one added or changed. It takes the place of the one on the same field, and of one that cannot be beside it. */
export function withFilter(filters: readonly Filter[], fields: readonly FilterField[], filter: Filter): Filter[] {
  const groupOf = (id: string) => fields.find((field) => field.id === id)?.group;
  const group = groupOf(filter.field);
  const isReplaced = (other: Filter) => other.field === filter.field || (group !== undefined && groupOf(other.field) === group);
  const at = filters.findIndex(isReplaced);
  const others = filters.filter((other) => !isReplaced(other));
  return at === -1 ? [...others, filter] : [...others.slice(0, at), filter, ...others.slice(at)];
}
