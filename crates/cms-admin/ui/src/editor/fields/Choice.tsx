// Choices: yes or no, one of some options, several of them.

import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronsUpDown, X } from "lucide-react";

import { Button, IconButton } from "~/components/Button";
import { Select } from "~/components/Field";
import { Picker } from "~/components/picker/Picker";
import { PickerBox } from "~/components/picker/PickerField";
import { knownSource } from "~/components/picker/source";
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

/** More options than these are searched, and not looked through. */
const MOST_IN_SIGHT = 12;

/** What options are called. Values that are no option any more are let be. */
function useOptionName(known: readonly string[]): (option: string) => string {
  const { t } = useLingui();
  return (option) => (known.includes(option) ? option : t`${option} (no longer an option)`);
}

export function SelectControl(props: ControlProps) {
  const { t } = useLingui();
  const { id, field, value, onChange, describedBy, isInvalid, readOnly } = props;
  const options = field.validation.options ?? [];
  const nameOf = useOptionName(options);
  if (options.length === 0) return <LineControl {...props} />;
  const text = textOf(value);
  const told = { id, "aria-describedby": describedBy, "aria-invalid": isInvalid || undefined };
  if (options.length > MOST_IN_SIGHT && !readOnly)
    return (
      <PickerBox
        control={told}
        clears
        label={t`Choose an option`}
        placeholder={t`Nothing chosen`}
        source={optionSource(field.slug, options)}
        value={text === "" ? null : { id: text, label: nameOf(text) }}
        onChange={(option) => onChange(option?.id ?? null)}
      />
    );
  return (
    <Select
      {...told}
      className="sm:max-w-80"
      aria-required={field.required || undefined}
      disabled={readOnly}
      value={text}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
    >
      <option value="">{t`Nothing chosen`}</option>
      {text !== "" && !options.includes(text) && <option value={text}>{nameOf(text)}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

const optionSource = (slug: string, options: readonly string[]) =>
  knownSource(
    ["options", slug],
    options.map((option) => ({ id: option, label: option })),
  );

export function MultiSelectControl({ id, field, value, onChange, readOnly }: ControlProps) {
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const known = field.validation.options ?? [];
  const nameOf = useOptionName(known);
  const options = [...known, ...chosen.filter((option) => !known.includes(option))];
  // In the order of the options, so that choosing and unchoosing leaves no trace.
  const toggle = (option: string) => {
    const next = options.filter((other) => (other === option) !== chosen.includes(other));
    onChange(next.length > 0 ? next : null);
  };
  if (known.length > MOST_IN_SIGHT)
    return <Searched {...{ id, nameOf, readOnly }} source={optionSource(field.slug, known)} chosen={options.filter((option) => chosen.includes(option))} onToggle={toggle} />;
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
            {nameOf(option)}
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

interface SearchedProps {
  id: string;
  source: ReturnType<typeof optionSource>;
  chosen: string[];
  nameOf: (option: string) => string;
  onToggle: (option: string) => void;
  readOnly: boolean;
}

/** Those of many options that are chosen, and a search for others. */
function Searched({ id, source, chosen, nameOf, onToggle, readOnly }: SearchedProps) {
  const { t } = useLingui();

  function remove(option: string) {
    onToggle(option);
    // The button that had the focus goes with what it removed.
    document.getElementById(id)?.focus();
  }

  return (
    <div className="grid justify-items-start gap-2">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chosen.map((option) => (
            <li key={option} className="flex max-w-full min-w-0 items-center rounded-md border border-line bg-surface ps-2.5">
              <span className={readOnly ? "min-w-0 py-1 pe-2.5 break-words" : "min-w-0 break-words"} dir="auto">
                {nameOf(option)}
              </span>
              {!readOnly && <IconButton size="sm" label={t`Remove ${nameOf(option)}`} icon={<X />} onClick={() => remove(option)} />}
            </li>
          ))}
        </ul>
      )}
      {readOnly ? (
        chosen.length === 0 && (
          <p className="text-muted">
            <Trans>Nothing chosen</Trans>
          </p>
        )
      ) : (
        <Picker
          multiple
          label={t`Choose options`}
          source={source}
          chosen={chosen}
          onChoose={({ id }) => onToggle(id)}
          trigger={
            <Button id={id} size="sm" icon={<ChevronsUpDown />}>
              <Trans>Choose options</Trans>
            </Button>
          }
        />
      )}
    </div>
  );
}
