// Whose dates and numbers somebody reads here.

import { Trans, useLingui } from "@lingui/react/macro";

import { Card } from "~/components/Card";
import { SelectField } from "~/components/Field";
import { useFormat } from "~/lib/format";
import { chooseRegion, REGIONS, useChosenRegion } from "~/lib/region";

export function RegionCard() {
  const { t, i18n } = useLingui();
  const { dateTime, number } = useFormat();
  const region = useChosenRegion();
  const names = new Intl.DisplayNames([i18n.locale], { type: "region" });
  const options = REGIONS.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) => a.name.localeCompare(b.name, i18n.locale));
  const [date, amount] = [dateTime(new Date(2026, 10, 25, 14, 30)), number(1234.5)];
  return (
    <Card title={<Trans>Dates and numbers</Trans>}>
      <SelectField label={<Trans>Region</Trans>} hint={<Trans>As in {date} and {amount}. Kept in this browser.</Trans>} value={region ?? ""} onChange={(event) => chooseRegion(event.target.value || undefined)}>
        <option value="">{t`As in this browser`}</option>
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
    </Card>
  );
}
