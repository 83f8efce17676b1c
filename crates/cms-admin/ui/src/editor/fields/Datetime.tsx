// A date and time, in a zone that is told.

import { Trans, useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";

import { IconButton } from "~/components/Button";

import { LINE } from "./control";
import type { ControlProps } from "./shape";
import { attributes, textOf } from "./Text";
import { localOf, instantOf, zoneName } from "./zone";

export function DatetimeControl(props: ControlProps) {
  const { t, i18n } = useLingui();
  const { value, onChange, field, readOnly } = props;
  const text = textOf(value);
  const isInstant = text === "" || !Number.isNaN(Date.parse(text));
  const { minDate, maxDate } = field.validation;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      {isInstant ? (
        <input
          type="datetime-local"
          className={`${LINE} sm:max-w-64`}
          {...attributes(props)}
          min={minDate ? localOf(minDate) : undefined}
          max={maxDate ? localOf(maxDate) : undefined}
          value={text === "" ? "" : localOf(text)}
          onChange={(event) => onChange(event.target.value === "" ? null : instantOf(event.target.value))}
        />
      ) : (
        // What another program wrote stays readable until somebody puts a date there.
        <input type="text" className={`${LINE} sm:max-w-64`} {...attributes(props)} value={text} onChange={(event) => onChange(event.target.value || null)} />
      )}
      {text !== "" && !readOnly && <IconButton size="sm" label={t`Clear ${field.label}`} icon={<X />} onClick={() => onChange(null)} />}
      <span className="text-sm text-muted">
        <Trans>Times are in {zoneName(i18n.locale, text === "" ? undefined : text)}.</Trans>
      </span>
    </span>
  );
}
