// The icon of a collection in the navigation.

import { Trans, useLingui } from "@lingui/react/macro";

import { PickerField } from "~/components/picker/PickerField";
import { knownSource } from "~/components/picker/source";
import { collectionIcon, ICON_NAMES } from "~/content/icons";

function optionOf(name: string) {
  const Icon = collectionIcon(name);
  return { id: name, label: name.replaceAll("-", " "), icon: <Icon aria-hidden className="size-4" /> };
}

const icons = knownSource(["icons"], ICON_NAMES.map(optionOf));

export function IconField({ value, onChange, error }: { value: string | null; onChange: (icon: string | null) => void; error: string | undefined }) {
  const { t } = useLingui();
  return (
    <PickerField
      fieldLabel={<Trans>Icon</Trans>}
      label={t`Choose an icon`}
      placeholder={t`Document`}
      optional
      name="icon"
      source={icons}
      value={value ? optionOf(value) : null}
      error={error}
      onChange={(option) => onChange(option?.id ?? null)}
    />
  );
}
