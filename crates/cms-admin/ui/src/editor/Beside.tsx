// An entry beside its translation, field by field, with what changed there since the translation was last saved.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Badge } from "~/components/Badge";
import { Loaded } from "~/components/states";
import { isSame } from "~/lib/same";

import { DifferenceText } from "./Difference";
import { EntryField } from "./fields/EntryField";
import { ShownValue } from "./fields/Shown";
import { useFields, useItem, useSession } from "./model/context";
import type { Field, Item } from "./model/values";
import { useLanguageName } from "./panel/Translations";
import { asOf, fetchEntry } from "./queries";

export function Beside({ id, readOnly }: { id: string; readOnly: boolean }) {
  const { collection } = useSession();
  const query = useQuery({ queryKey: ["content", collection.slug, id, "beside"], queryFn: () => fetchEntry({ collection: collection.slug, id }) });
  return <Loaded query={query}>{({ item }) => <Both other={item} readOnly={readOnly} />}</Loaded>;
}

function Both({ other, readOnly }: { other: Item; readOnly: boolean }) {
  const { t } = useLingui();
  const { collection } = useSession();
  const fields = useFields();
  const languageName = useLanguageName();
  // What is saved from now on does not make known what is not translated yet.
  const [savedAt] = useState(useItem()?.updatedAt);
  const has = collection.supports.includes("revisions") && savedAt !== undefined;
  const { data: before } = useQuery({ ...asOf({ collection: collection.slug, id: other.id, version: other.version }, savedAt ?? ""), enabled: has });
  const hasChanged = ({ slug }: Field) => before != null && !isSame(before.data[slug] ?? null, other.data[slug] ?? null);
  const changed = fields.filter(hasChanged).length;
  const language = languageName(other.locale);
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span>{t`Beside it: ${language}`}</span>
        {changed > 0 && (
          <span>
            <Plural value={changed} one="# field changed there since this was last saved" other="# fields changed there since this was last saved" />
          </span>
        )}
        <Link to="." search={(search) => ({ ...search, beside: undefined })} className="inline-flex items-center rounded-sm text-accent-ink underline underline-offset-2 pointer-coarse:min-h-11">
          <Trans>Close side by side</Trans>
        </Link>
      </p>
      {fields.map((field) => (
        <div key={field.id} className="grid items-start gap-x-5 gap-y-2 border-t border-line pt-4 has-[>div:first-child:empty]:hidden md:grid-cols-2">
          <div className="min-w-0">
            <EntryField field={field} readOnly={readOnly} />
          </div>
          <div lang={other.locale} className="min-w-0 rounded-md bg-sunken px-3 py-2 md:mt-7">
            <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
              {language}
              {hasChanged(field) && (
                <Badge tone="warn">
                  <Trans>Changed since</Trans>
                </Badge>
              )}
            </p>
            {before && hasChanged(field) ? <DifferenceText type={field.type} before={before.data[field.slug]} after={other.data[field.slug]} /> : <ShownValue value={other.data[field.slug]} type={field.type} />}
          </div>
        </div>
      ))}
    </div>
  );
}
