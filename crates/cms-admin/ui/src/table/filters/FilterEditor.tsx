// One filter being made or changed: field, operator, and values of the kind that the field has.

import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";

import { Button } from "~/components/Button";
import { SelectField } from "~/components/Field";

import { arity, isComplete, operatorsOf, type Filter, type FilterField, type Operator } from "./model";
import { FilterValue } from "./FilterValue";
import { operatorWords } from "./words";

interface FilterEditorProps {
  fields: readonly FilterField[];
  /** Fields that have a filter already. */
  taken: readonly string[];
  /** The filter that is changed; a new one when left out. */
  filter?: Filter;
  onApply: (filter: Filter) => void;
}

export function FilterEditor({ fields, taken, filter, onApply }: FilterEditorProps) {
  const { t, i18n } = useLingui();
  const open = fields.filter(({ id, unavailable }) => !unavailable && !taken.includes(id));
  const [draft, setDraft] = useState<Filter | undefined>(filter ?? (open[0] && begin(open[0])));
  const [isAsked, setAsked] = useState(false);
  const field = fields.find(({ id }) => id === draft?.field);
  const groups = [
    { label: t`Not indexed: ask an administrator to index them`, fields: fields.filter(({ unavailable }) => unavailable === "notIndexed") },
    { label: t`Being indexed: try again in a while`, fields: fields.filter(({ unavailable }) => unavailable === "building") },
  ];

  if (!draft || !field) {
    return (
      <p className="p-4 text-muted">
        <Trans>There is nothing else to filter by.</Trans>
      </p>
    );
  }
  const isBad = isAsked && !isComplete(field, draft);
  return (
    <form
      className="grid gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(field, draft)) onApply(draft);
        else setAsked(true);
      }}
    >
      {!filter && (
        <SelectField
          label={<Trans>Field</Trans>}
          value={draft.field}
          onChange={({ target }) => {
            const chosen = fields.find(({ id }) => id === target.value);
            if (chosen) setDraft(begin(chosen));
          }}
        >
          {open.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
          {groups.map(
            ({ label, fields }) =>
              fields.length > 0 && (
                <optgroup key={label} label={label}>
                  {fields.map(({ id, label }) => (
                    <option key={id} value={id} disabled>
                      {label}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </SelectField>
      )}
      {operatorsOf(field).length > 1 && (
        <SelectField
          label={filter ? <bdi>{field.label}</bdi> : <Trans>Condition</Trans>}
          value={draft.operator}
          onChange={({ target }) => {
            const operator = target.value as Operator;
            setDraft({ ...draft, operator, values: valuesFor(operator, draft.values) });
          }}
        >
          {operatorsOf(field).map((operator) => (
            <option key={operator} value={operator}>
              {i18n._(operatorWords(field.kind, operator))}
            </option>
          ))}
        </SelectField>
      )}
      <FilterValue field={field} operator={draft.operator} values={draft.values} isBad={isBad} onChange={(values) => setDraft({ ...draft, values })} />
      <Button type="submit" variant="primary" wide>
        <Trans>Apply filter</Trans>
      </Button>
    </form>
  );
}

/** A filter on a field, before anything is typed. */
function begin(field: FilterField): Filter {
  const operator = operatorsOf(field)[0] ?? "is";
  const first = field.kind === "boolean" ? "true" : (field.options?.[0]?.value ?? "");
  return { field: field.id, operator, values: operator === "in" ? [] : Array.from({ length: arity(operator) }, () => first) };
}

/** What was typed, as far as another operator has use for it. */
function valuesFor(operator: Operator, values: readonly string[]): string[] {
  if (operator === "in") return values.filter(Boolean);
  return Array.from({ length: arity(operator) }, (_, n) => values[n] ?? "");
}
