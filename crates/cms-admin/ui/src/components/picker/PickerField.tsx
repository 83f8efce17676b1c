// A labelled choice among many: of one, or of several in an order.

import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronsUpDown, Plus, X } from "lucide-react";
import type { ReactNode } from "react";

import { Button, IconButton } from "~/components/Button";
import { CONTROL, Field } from "~/components/Field";
import { SortableList } from "~/components/sortable/SortableList";
import { cx } from "~/lib/cx";

import { Picker, type PickerProps } from "./Picker";
import type { Option } from "./source";

interface Common<Choice extends Option> extends Pick<PickerProps<Choice>, "source" | "recentKey" | "make"> {
  /** What it is called above the control. */
  fieldLabel: ReactNode;
  /** What the search box asks, as in “Choose an author”. */
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  name?: string;
  disabled?: boolean;
}

interface OneProps<Choice extends Option> extends Common<Choice> {
  value: Choice | null;
  onChange: (value: Choice | null) => void;
  /** What stands there while nothing is chosen. */
  placeholder?: string;
}

/** A choice of one. */
export function PickerField<Choice extends Option>({ fieldLabel, hint, error, optional, ...box }: OneProps<Choice>) {
  return (
    <Field label={fieldLabel} {...{ hint, error, optional }}>
      {(control) => <PickerBox {...box} control={control} clears={optional} />}
    </Field>
  );
}

interface BoxProps<Choice extends Option> extends Omit<OneProps<Choice>, "fieldLabel" | "hint" | "error" | "optional"> {
  /** What the field around it says of its control; its label has the same id and `-label`. */
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined };
  /** What is chosen can be taken back. */
  clears: boolean | undefined;
}

/** The choice alone, where something else draws the field around it. */
export function PickerBox<Choice extends Option>({ control, clears, name, value, onChange, placeholder, disabled, ...picker }: BoxProps<Choice>) {
  const { t } = useLingui();

  function clear() {
    onChange(null);
    // The button that had the focus goes with what it cleared.
    document.getElementById(control.id)?.focus();
  }

  return (
    <div className="flex max-w-control gap-1.5">
      <Picker
        {...picker}
        chosen={value ? [value.id] : []}
        onChoose={onChange}
        trigger={
          <button
            type="button"
            {...control}
            name={name}
            aria-labelledby={`${control.id}-label ${control.id}`}
            disabled={disabled}
            className={cx(CONTROL, "flex min-h-9 min-w-0 items-center gap-2 px-3 py-1 text-start [&_svg]:size-4 [&_svg]:shrink-0")}
          >
            {value?.icon}
            <span className={cx("min-w-0 grow truncate", !value && "text-faint")}>
              <bdi>{value?.label ?? placeholder ?? picker.label}</bdi>
            </span>
            <ChevronsUpDown aria-hidden className="text-muted" />
          </button>
        }
      />
      {clears && value && !disabled && <IconButton label={t`Clear`} icon={<X />} onClick={clear} />}
    </div>
  );
}

interface SeveralProps<Choice extends Option> extends Common<Choice> {
  value: readonly Choice[];
  onChange: (value: Choice[]) => void;
  /** How many can be chosen. */
  most?: number | undefined;
}

/** A choice of several, in the order that they are put into. */
export function PickerListField<Choice extends Option>({ fieldLabel, hint, error, optional, name, value, onChange, most, disabled, ...picker }: SeveralProps<Choice>) {
  const { t } = useLingui();
  const isFull = most !== undefined && value.length >= most;

  function choose(option: Choice, isChosen: boolean) {
    const rest = value.filter(({ id }) => id !== option.id);
    if (!isChosen) onChange(rest);
    else if (!isFull) onChange([...rest, option]);
  }

  function remove(option: Choice, adder: string) {
    choose(option, false);
    // The button that had the focus goes with its row.
    document.getElementById(adder)?.focus();
  }

  return (
    <Field label={fieldLabel} {...{ hint, error, optional }}>
      {(control) => (
        <div className="grid max-w-control justify-items-start gap-2">
          {value.length > 0 && (
            <SortableList
              label={picker.label}
              items={value}
              itemKey={({ id }) => id}
              itemName={({ label }) => label}
              onMove={onChange}
              disabled={disabled}
              className="w-full gap-1.5"
            >
              {(option) => (
                <span className="flex items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0">
                  {option.icon}
                  <span className="grid min-w-0 grow">
                    <span className="break-words">
                      <bdi>{option.label}</bdi>
                    </span>
                    {option.hint && (
                      <span className="truncate text-sm text-muted">
                        <bdi>{option.hint}</bdi>
                      </span>
                    )}
                  </span>
                  <IconButton size="sm" label={t`Remove ${option.label}`} icon={<X />} disabled={disabled} onClick={() => remove(option, control.id)} />
                </span>
              )}
            </SortableList>
          )}
          <Picker
            {...picker}
            multiple
            chosen={value.map(({ id }) => id)}
            onChoose={choose}
            trigger={
              <Button {...control} aria-labelledby={`${control.id}-label ${control.id}`} name={name} size="sm" icon={<Plus aria-hidden />} disabled={disabled ?? false}>
                <Trans>Add</Trans>
              </Button>
            }
          />
          {isFull && (
            <p className="text-sm text-muted">
              <Trans>You cannot choose any more.</Trans>
            </p>
          )}
        </div>
      )}
    </Field>
  );
}
