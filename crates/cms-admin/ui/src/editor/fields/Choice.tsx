// Choices: yes or no, one of some options, several of them.

import { Trans, useLingui } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Select } from "~/components/Field";
import { Switch } from "~/components/Switch";

import type { ControlProps } from "./shape";
import { LineControl, textOf } from "./Text";

export function BooleanControl({ field, value, onChange, readOnly }: ControlProps) {
  const isSet = typeof value === "boolean";
  return (
    <span className="flex min-h-9 items-center gap-3">
      <Switch label={field.label} checked={value === true} onChange={(checked) => readOnly || onChange(checked)} />
      <span className="text-muted">{isSet ? value ? <Trans>Yes</Trans> : <Trans>No</Trans> : <Trans>Not set</Trans>}</span>
      {isSet && !field.required && !readOnly && (
        <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
          <Trans>Clear</Trans>
        </Button>
      )}
    </span>
  );
}

export function SelectControl(props: ControlProps) {
  const { t } = useLingui();
  const { id, field, value, onChange, describedBy, isInvalid, readOnly } = props;
  const options = field.validation.options ?? [];
  if (options.length === 0) return <LineControl {...props} />;
  const text = textOf(value);
  return (
    <Select
      id={id}
      className="sm:max-w-80"
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      aria-required={field.required || undefined}
      disabled={readOnly}
      value={text}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
    >
      <option value="">{t`Nothing chosen`}</option>
      {text !== "" && !options.includes(text) && <option value={text}>{t`${text} (no longer an option)`}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

export function MultiSelectControl({ id, field, value, onChange, readOnly }: ControlProps) {
  const { t } = useLingui();
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const known = field.validation.options ?? [];
  const options = [...known, ...chosen.filter((option) => !known.includes(option))];
  // In the order of the options, so that choosing and unchoosing leaves no trace.
  const toggle = (option: string) => {
    const next = options.filter((other) => (other === option) !== chosen.includes(other));
    onChange(next.length > 0 ? next : null);
  };
  return (
    <div className="grid gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 sm:grid-cols-2">
      {options.map((option, n) => (
        <label key={option} className="flex min-w-0 items-start gap-2.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
          <input
            type="checkbox"
            id={n === 0 ? id : undefined}
            className="mt-[0.2rem] size-4 shrink-0"
            checked={chosen.includes(option)}
            disabled={readOnly}
            onChange={() => toggle(option)}
          />
          <span className="min-w-0 break-words" dir="auto">
            {known.includes(option) ? option : t`${option} (no longer an option)`}
          </span>
        </label>
      ))}
      {options.length === 0 && (
        <p className="text-muted">
          <Trans>This field has no options yet.</Trans>
        </p>
      )}
    </div>
  );
}
