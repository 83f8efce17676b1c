// Filters in words.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { MessageDescriptor } from "@lingui/core";

import { useFormat } from "~/lib/format";

import type { Filter, FilterField, FilterKind, Operator } from "./model";

const USUAL: Record<Operator, MessageDescriptor> = {
  is: msg`is`,
  in: msg`is any of`,
  contains: msg`contains`,
  begins: msg`starts with`,
  atLeast: msg`is at least`,
  atMost: msg`is at most`,
  between: msg`is between`,
  empty: msg`is empty`,
};

const DATES: Partial<Record<Operator, MessageDescriptor>> = {
  is: msg`is on`,
  atLeast: msg`is on or after`,
  atMost: msg`is on or before`,
};

/** What an operator is called for values of a kind. */
export function operatorWords(kind: FilterKind, operator: Operator): MessageDescriptor {
  return (kind === "date" ? DATES[operator] : undefined) ?? USUAL[operator];
}

/** What a filter is called on its chip. */
export function useFilterWords(): (field: FilterField, filter: Filter) => { name: string; operator: string; value: string } {
  const { t, i18n } = useLingui();
  const { date, list, number } = useFormat();
  const valueOf = ({ kind, options }: FilterField, value: string) => {
    const option = options?.find((option) => option.value === value);
    if (option) return option.label;
    if (kind === "boolean") return value === "true" ? t`Yes` : t`No`;
    // A day is not the instant at which it begins in Greenwich.
    if (kind === "date") return date(new Date(`${value}T00:00`));
    return kind === "number" ? number(Number(value)) : value;
  };
  return (field, { operator, values }) => {
    const words = values.map((value) => valueOf(field, value));
    const [first = "", second = ""] = words;
    return {
      name: field.label,
      operator: i18n._(operatorWords(field.kind, operator)),
      value: operator === "between" ? t`${first} and ${second}` : list(words),
    };
  };
}
