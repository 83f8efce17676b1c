// An entry beside its translation, field by field.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { Loaded } from "~/components/states";

import { EntryField } from "./fields/EntryField";
import { ShownValue } from "./fields/Shown";
import { useSession } from "./model/context";
import { useLanguageName } from "./panel/Translations";
import { fetchEntry } from "./queries";

export function Beside({ id, readOnly }: { id: string; readOnly: boolean }) {
  const { t } = useLingui();
  const { collection, fields } = useSession();
  const languageName = useLanguageName();
  const query = useQuery({ queryKey: ["content", collection.slug, id, "beside"], queryFn: () => fetchEntry({ collection: collection.slug, id }) });
  return (
    <Loaded query={query}>
      {({ item }) => {
        const language = languageName(item.locale);
        return (
          <div className="grid gap-5">
            <p className="flex flex-wrap gap-x-3 text-sm text-muted">
              <span>{t`Beside it: ${language}`}</span>
              <Link to="." search={(search) => ({ ...search, beside: undefined })} className="inline-flex items-center rounded-sm text-accent-ink underline underline-offset-2 pointer-coarse:min-h-11">
                <Trans>Close side by side</Trans>
              </Link>
            </p>
            {fields.map((field) => (
              <div key={field.id} className="grid items-start gap-x-5 gap-y-2 border-t border-line pt-4 has-[>div:first-child:empty]:hidden md:grid-cols-2">
                <div className="min-w-0">
                  <EntryField field={field} readOnly={readOnly} />
                </div>
                <div lang={item.locale} className="min-w-0 rounded-md bg-sunken px-3 py-2 md:mt-7">
                  <p className="text-sm text-muted">{language}</p>
                  <ShownValue value={item.data[field.slug]} type={field.type} />
                </div>
              </div>
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}
