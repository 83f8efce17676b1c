// The fields within the rows of a list: added, moved and removed.

import { Trans, useLingui } from "@lingui/react/macro";
import { Plus, Trash2 } from "lucide-react";

import type { ContentField } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Checkbox, SelectField, TextArea, TextField } from "~/components/Field";
import { SortableList } from "~/components/sortable/SortableList";

import { newSubField, type SubDraft } from "./draft";
import type { DraftForm } from "./FieldForm";
import { SUB_TYPES, typeWords } from "./fieldTypes";
import { freeIdentifier, identifierFrom } from "./identifier";

export function SubFields({ form, field }: { form: DraftForm; field: ContentField | undefined }) {
  const { t } = useLingui();
  const rows = form.values.validation.subFields;
  const set = (rows: SubDraft[]) => form.set("validation.subFields", rows);
  const stored = (field?.validation?.subFields ?? []).map(({ slug }) => slug);
  const nameOf = ({ label }: SubDraft, n: number) => {
    const number = n + 1;
    return label || t`Field ${number}`;
  };
  const own = form.error("validation.subFields");
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium">
        <Trans>Fields of each row</Trans>
      </legend>
      <SortableList label={t`Fields of each row`} items={rows} itemKey={({ key }) => key} itemName={nameOf} onMove={set}>
        {(row, n) => (
          <Row
            {...{ form, row, n }}
            name={nameOf(row, n)}
            isStored={stored.includes(row.slug)}
            taken={rows.filter(({ key }) => key !== row.key).map(({ slug }) => slug)}
            onChange={(row) => set(rows.with(n, row))}
            onRemove={rows.length > 1 ? () => set(rows.toSpliced(n, 1)) : undefined}
          />
        )}
      </SortableList>
      {own && rows.length === 0 && <p className="text-sm text-bad">{own}</p>}
      <div>
        <Button size="sm" icon={<Plus />} onClick={() => set([...rows, newSubField()])}>
          <Trans>Add field to the row</Trans>
        </Button>
      </div>
    </fieldset>
  );
}

interface RowProps {
  form: DraftForm;
  row: SubDraft;
  n: number;
  name: string;
  /** Whether rows that are stored may have values under its slug. */
  isStored: boolean;
  taken: string[];
  onChange: (row: SubDraft) => void;
  onRemove: (() => void) | undefined;
}

function Row({ form, row, n, name, isStored, taken, onChange, onRemove }: RowProps) {
  const { t, i18n } = useLingui();
  const path = `validation.subFields.${n}` as const;

  function rename(label: string) {
    const made = identifierFrom(row.label);
    const follows = !isStored && (row.slug === "" || row.slug === made || row.slug.startsWith(`${made}_`));
    const slug = identifierFrom(label);
    onChange({ ...row, label, ...(follows ? { slug: slug && freeIdentifier(slug, taken) } : {}) });
  }

  return (
    <div className="grid min-w-0 gap-3 py-1 pe-1">
      <TextField label={<Trans>Label</Trans>} maxLength={200} autoComplete="off" name={`${path}.label`} error={form.error(`${path}.label`)} value={row.label} onChange={(event) => rename(event.target.value)} />
      <TextField
        label={<Trans>Slug</Trans>}
        readOnly={isStored}
        maxLength={63}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        className="[&_input]:font-mono"
        name={`${path}.slug`}
        error={form.error(`${path}.slug`)}
        value={row.slug}
        onChange={(event) => onChange({ ...row, slug: event.target.value })}
      />
      <SelectField label={<Trans>Type</Trans>} name={`${path}.type`} error={form.error(`${path}.type`)} value={row.type} onChange={(event) => onChange({ ...row, type: event.target.value as SubDraft["type"] })}>
        {SUB_TYPES.map((type) => (
          <option key={type} value={type}>
            {i18n._(typeWords(type).name)}
          </option>
        ))}
      </SelectField>
      {row.type === "select" && (
        <TextArea label={<Trans>Options</Trans>} optional hint={<Trans>One per line.</Trans>} name={`${path}.options`} error={form.error(`${path}.options`)} value={row.options} onChange={(event) => onChange({ ...row, options: event.target.value })} />
      )}
      <div className="flex items-center justify-between gap-2">
        <Checkbox label={<Trans>Required</Trans>} checked={row.required} onChange={(event) => onChange({ ...row, required: event.target.checked })} />
        {onRemove && <IconButton size="sm" danger label={t`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />}
      </div>
    </div>
  );
}
