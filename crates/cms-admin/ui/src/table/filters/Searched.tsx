// A field that is compared with one of many values: it is found by typing.

import { Trans, useLingui } from "@lingui/react/macro";

import { PickerField } from "~/components/picker/PickerField";
import { knownSource } from "~/components/picker/source";

import type { FilterValueProps } from "./FilterValue";

export function Searched({ field, values, isBad, onChange }: Omit<FilterValueProps, "operator">) {
  const { t } = useLingui();
  const options = (field.options ?? []).map(({ value, label }) => ({ id: value, label }));
  return (
    <PickerField
      fieldLabel={<Trans>Value</Trans>}
      label={t`Choose a value`}
      source={knownSource(["filter", field.id], options)}
      value={options.find(({ id }) => id === values[0]) ?? null}
      error={isBad ? t`Choose a value.` : undefined}
      onChange={(option) => onChange(option ? [option.id] : [])}
    />
  );
}
