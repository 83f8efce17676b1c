// What a field is compared with: a choice, a text, numbers or days.

import { Trans, useLingui } from "@lingui/react/macro";
import { Suspense, type ReactNode } from "react";

import { Checkbox, SelectField, TextField } from "~/components/Field";
import { lazily } from "~/lib/lazily";

import { MAX_TEXT, type FilterField, type Operator } from "./model";

/** Of more values than this one is found sooner by typing than by looking. */
const MANY = 25;

const Searched = lazily(() => import("./Searched").then((of) => of.Searched));

export interface FilterValueProps {
  field: FilterField;
  operator: Operator;
  values: readonly string[];
  /** It was tried to apply the filter, and the values are not such. */
  isBad: boolean;
  onChange: (values: string[]) => void;
}

export function FilterValue({ field, operator, values, isBad, onChange }: FilterValueProps) {
  const { t } = useLingui();
  const label = <Trans>Value</Trans>;
  if (operator === "empty") return null;
  if (operator === "in") return <Several {...{ field, values, isBad, onChange }} />;
  if (operator === "is" && (field.options?.length ?? 0) > MANY) {
    return (
      <Suspense>
        <Searched {...{ field, values, isBad, onChange }} />
      </Suspense>
    );
  }
  if (field.kind === "boolean" || field.options) {
    const options = field.options ?? [
      { value: "true", label: t`Yes` },
      { value: "false", label: t`No` },
    ];
    return (
      <SelectField label={label} value={values[0]} onChange={({ target }) => onChange([target.value])}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    );
  }
  const labels = operator === "between" ? [<Trans key="from">From</Trans>, <Trans key="to">To</Trans>] : [label];
  return (
    <div className={labels.length > 1 ? "grid grid-cols-2 gap-2" : "grid"}>
      {labels.map((label, n) => (
        <Typed key={n} field={field} label={label} value={values[n] ?? ""} isBad={isBad} onChange={(value) => onChange(labels.map((_, at) => (at === n ? value : (values[at] ?? ""))))} />
      ))}
    </div>
  );
}

function Typed({ field, label, value, isBad, onChange }: { field: FilterField; label: ReactNode; value: string; isBad: boolean; onChange: (value: string) => void }) {
  const { t } = useLingui();
  const problem = { number: field.isWhole ? t`Enter a whole number.` : t`Enter a number.`, date: t`Choose a day.` }[field.kind as string] ?? t`Fill in this field.`;
  return (
    <TextField
      label={label}
      value={value}
      required={false}
      maxLength={MAX_TEXT}
      error={isBad ? problem : undefined}
      {...(field.kind === "date" ? { type: "date" } : field.kind === "number" ? { inputMode: "decimal", dir: "ltr" } : {})}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Several({ field, values, isBad, onChange }: Omit<FilterValueProps, "operator">) {
  const toggle = (value: string) => onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);
  return (
    <fieldset className="grid max-h-60 gap-2 overflow-y-auto">
      <legend className="mb-1.5 font-medium">
        <Trans>Values</Trans>
      </legend>
      {field.options?.map(({ value, label }) => (
        <Checkbox key={value} label={label} checked={values.includes(value)} onChange={() => toggle(value)} />
      ))}
      {isBad && (
        <p role="alert" className="text-sm text-bad">
          <Trans>Choose at least one.</Trans>
        </p>
      )}
    </fieldset>
  );
}
