// A plan in one sentence: how much of everything is made, changed and deleted.

import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";

import { useFormat } from "~/lib/format";

import { countsOf, type Plan } from "./plan";

export function useSummary(): (plan: Plan) => string {
  const { t } = useLingui();
  const { list } = useFormat();
  return (plan) => {
    const { collections, fields } = countsOf(plan);
    const [collectionsMade, collectionsChanged, collectionsDeleted] = [collections.made, collections.changed, collections.deleted];
    const [fieldsMade, fieldsChanged, fieldsRenamed, fieldsDeleted] = [fields.made, fields.changed, fields.renamed, fields.deleted];
    const parts = [
      [collectionsMade, t`${plural(collectionsMade, { one: "# new collection", other: "# new collections" })}`],
      [collectionsChanged, t`${plural(collectionsChanged, { one: "# collection with other settings", other: "# collections with other settings" })}`],
      [collectionsDeleted, t`${plural(collectionsDeleted, { one: "# collection deleted", other: "# collections deleted" })}`],
      [fieldsMade, t`${plural(fieldsMade, { one: "# new field", other: "# new fields" })}`],
      [fieldsRenamed, t`${plural(fieldsRenamed, { one: "# field with another name", other: "# fields with other names" })}`],
      [fieldsChanged, t`${plural(fieldsChanged, { one: "# field changed", other: "# fields changed" })}`],
      [fieldsDeleted, t`${plural(fieldsDeleted, { one: "# field deleted", other: "# fields deleted" })}`],
    ] as const;
    return list(parts.flatMap(([count, text]) => (count > 0 ? [text] : [])));
  };
}
