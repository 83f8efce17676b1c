// Filters as they stand in an address: `status.is.draft*price.between.10.20`. The marks are those that addresses leave as they are.

import { arity, type Filter, type Operator } from "./model";

const OPERATORS: readonly Operator[] = ["is", "in", "contains", "begins", "atLeast", "atMost", "between", "empty"];

const isOperator = (text: string | undefined): text is Operator => OPERATORS.some((operator) => operator === text);

/** What has a meaning here, and what makes codes. */
const MARKS = /[%.*]/g;

const written = (text: string) => text.replace(MARKS, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
const read = (text: string) => text.replace(/%(25|2e|2a)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The filters as text; undefined when there are none. */
export function writeFilters(filters: readonly Filter[]): string | undefined {
  return filters.map(({ field, operator, values }) => [field, operator, ...values].map(written).join(".")).join("*") || undefined;
}

/** The filters that a text holds. What is none is left out: anybody can write an address. */
export function readFilters(text: string | undefined): Filter[] {
  const filters = (text ?? "").split("*").flatMap((part): Filter[] => {
    const [field, operator, ...values] = part.split(".").map(read);
    if (!field || !isOperator(operator)) return [];
    return operator === "in" || values.length === arity(operator) ? [{ field, operator, values }] : [];
  });
  return filters.filter(({ field }, at) => filters.findIndex((other) => other.field === field) === at);
}
