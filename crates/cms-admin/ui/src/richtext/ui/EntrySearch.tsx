// Entries that a link can lead to: the newest, and those whose title has what is typed.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useState } from "react";

import { Select } from "~/components/Field";
import { useFound } from "~/components/picker/source";
import { Spinner } from "~/components/Spinner";
import { collection as model, collections } from "~/content/collections";
import { addressOf } from "~/content/address";
import { entrySource } from "~/content/entrySource";

export interface Entry {
  collection: string;
  id: string;
  title: string;
  /** Where it is on the site at the moment, as far as that is known. */
  address: string;
}

const SHOWN = 6;

export function EntrySearch({ query, onChoose }: { query: string; onChoose: (entry: Entry) => void }) {
  const { t } = useLingui();
  const all = useQuery(collections);
  const [chosen, choose] = useState<string>();
  const collection = chosen ?? all.data?.[0]?.slug ?? "";
  const known = useQuery({ ...model(collection), enabled: collection !== "" });
  const entries = useFound(entrySource(known.data, SHOWN), query);
  if (/^(?:https?:|mailto:|tel:|\/|#)/i.test(query.trim()) || all.data?.length === 0 || all.isError) return null;
  const found = (entries.options ?? []).map(({ id, label, slug, locale }): Entry => {
    const address = known.data && addressOf(known.data, { id, locale, slug: slug ?? id });
    return { collection, id, title: label, address: address ?? `/${collection}/${slug ?? id}` };
  });
  return (
    <div className="grid gap-1.5">
      {(all.data?.length ?? 0) > 1 && (
        <Select aria-label={t`Collection`} value={collection} onChange={(event) => choose(event.target.value)}>
          {all.data?.map(({ slug, label }) => (
            <option key={slug} value={slug}>
              {label}
            </option>
          ))}
        </Select>
      )}
      {entries.isPending || known.isPending ? (
        <Spinner />
      ) : entries.isError || known.isError ? (
        <p className="text-sm text-muted">
          <Trans>Entries cannot be searched at the moment. An address works.</Trans>
        </p>
      ) : found.length === 0 ? (
        <p className="text-sm text-muted">
          <Trans>No entry found</Trans>
        </p>
      ) : (
        <ul aria-label={t`Entries`} className="grid max-h-48 overflow-y-auto">
          {found.map((entry) => (
            <li key={entry.id}>
              <button type="button" onClick={() => onChoose(entry)} className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-hover pointer-coarse:min-h-11">
                <FileText aria-hidden className="size-4 shrink-0 text-muted" />
                <span dir="auto" className="min-w-0 truncate">
                  {entry.title}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
