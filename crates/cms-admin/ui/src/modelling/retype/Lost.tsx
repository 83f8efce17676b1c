// What a field has now that it cannot have with another type, and what is in the way of that type.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";

import { Notice } from "~/components/Notice";
import { useFormat } from "~/lib/format";

import { RULE_NAMES } from "../fieldTypes";
import type { Lost, Obstacle } from "./retyped";

const TRAITS = { unique: msg`Unique`, indexed: msg`Filter and sort lists by it`, searchable: msg`Search finds it` };
const OPTIONS = { placeholder: msg`Placeholder`, rows: msg`Height in lines`, source: msg`Made from` };

export function LostParts({ lost }: { lost: Lost }) {
  const { t, i18n } = useLingui();
  const { list } = useFormat();
  const { rules, traits, options, hasDefault } = lost;
  const names = [...rules.map((rule) => i18n._(RULE_NAMES[rule])), ...traits.map((trait) => i18n._(TRAITS[trait])), ...options.map((option) => i18n._(OPTIONS[option])), ...(hasDefault ? [t`Default value`] : [])];
  if (names.length === 0) return null;
  const parts = list(names);
  return (
    <p className="text-sm text-muted">
      <Trans>These do not apply to the new type, and are dropped: {parts}.</Trans>
    </p>
  );
}

const OBSTACLES: Record<Obstacle, ReturnType<typeof msg>> = {
  titleField: msg`It is the title of its entries, which only a text can be.`,
  dateField: msg`It is the date of its entries, which only a date and time can be.`,
  listColumns: msg`It is a column of the list, which only a short value can be.`,
  indexes: msg`It is part of an index over several fields, which only a single short value can be.`,
};

export function InTheWay({ obstacles, collection }: { obstacles: Obstacle[]; collection: string }) {
  const { i18n } = useLingui();
  return (
    <Notice
      tone="bad"
      title={<Trans>The field cannot have this type.</Trans>}
      action={
        <Link to="/model/$collection" params={{ collection }} search={{ tab: "settings" }} className="text-accent-ink underline underline-offset-2">
          <Trans>Change that in the settings of the collection</Trans>
        </Link>
      }
    >
      {obstacles.map((obstacle) => (
        <p key={obstacle}>{i18n._(OBSTACLES[obstacle])}</p>
      ))}
    </Notice>
  );
}
