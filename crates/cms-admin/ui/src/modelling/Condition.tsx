// When a field is shown: always, or by the value of another one.

import { Trans, useLingui } from "@lingui/react/macro";

import type { ContentField } from "~/api/types";
import { SelectField, TextArea, TextField } from "~/components/Field";

import type { ConditionDraft } from "./draft";

interface ConditionProps {
  value: ConditionDraft;
  onChange: (condition: ConditionDraft) => void;
  others: ContentField[];
}

export function Condition({ value: condition, onChange, others }: ConditionProps) {
  const { t } = useLingui();
  const { field, is, value } = condition;
  const other = others.find(({ slug }) => slug === field);
  const isGone = field !== "" && !other;
  return (
    <fieldset className="grid gap-3">
      <SelectField
        label={<Trans>Show this field</Trans>}
        hint={<Trans>A field that is not shown keeps its value.</Trans>}
        name="options.condition.field"
        value={field}
        onChange={(event) => onChange({ ...condition, field: event.target.value, value: "" })}
      >
        <option value="">{t`Always`}</option>
        {isGone && <option value={field}>{t`Depending on ${field}, which is gone`}</option>}
        {others.map(({ slug, label }) => (
          <option key={slug} value={slug}>
            {t`Depending on “${label}”`}
          </option>
        ))}
      </SelectField>
      {field !== "" && (
        <SelectField label={<Trans>When it</Trans>} name="options.condition.is" value={is} onChange={(event) => onChange({ ...condition, is: event.target.value as ConditionDraft["is"] })}>
          <option value="set">{t`has a value`}</option>
          <option value="empty">{t`is empty`}</option>
          <option value="equals">{t`is`}</option>
          <option value="oneOf">{t`is one of`}</option>
        </SelectField>
      )}
      {field !== "" && is === "equals" && <Value value={value} onChange={(value) => onChange({ ...condition, value })} other={other} />}
      {field !== "" && is === "oneOf" && (
        <TextArea label={<Trans>Values</Trans>} hint={<Trans>One per line.</Trans>} name="options.condition.in" value={value} onChange={(event) => onChange({ ...condition, value: event.target.value })} />
      )}
    </fieldset>
  );
}

/** The value that the other field is compared with: chosen, where it can only have some. */
function Value({ value, onChange, other }: { value: string; onChange: (value: string) => void; other: ContentField | undefined }) {
  const { t } = useLingui();
  const choices = other?.type === "boolean" ? [{ value: "true", label: t`Yes` }, { value: "false", label: t`No` }] : other?.validation?.options?.map((value) => ({ value, label: value }));
  const control = { label: <Trans>Value</Trans>, name: "options.condition.equals", value };
  if (!choices) return <TextField {...control} autoComplete="off" onChange={(event) => onChange(event.target.value)} />;
  return (
    <SelectField {...control} required onChange={(event) => onChange(event.target.value)}>
      <option value="">{t`Choose`}</option>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
