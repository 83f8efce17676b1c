// Entries that a link can lead to: the ones that were changed last, narrowed by what is typed.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useState } from "react";

import { answer, api } from "~/api/client";
import { Select } from "~/components/Field";
import { Spinner } from "~/components/Spinner";
import { collections } from "~/content/collections";

export interface Entry {
  collection: string;
  id: string;
  title: string;
  /** Where it is on the site at the moment, as far as that is known. */
  address: string;
}

/** How many entries are looked through, and how many are shown. */
const LOOKED_THROUGH = 100;
const SHOWN = 6;

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** What an entry is called: its title, or whatever it is known by. */
function titleOf({ data, slug, id }: { data?: Record<string, unknown>; slug?: string | null; id: string }): string {
  const named = [data?.title, data?.name, data?.label, slug].find((value) => typeof value === "string" && value !== "");
  return typeof named === "string" ? named : id;
}

export function EntrySearch({ query, onChoose }: { query: string; onChoose: (entry: Entry) => void }) {
  const { t } = useLingui();
  const all = useQuery(collections);
  const [chosen, choose] = useState<string>();
  const collection = chosen ?? all.data?.[0]?.slug;
  const entries = useQuery({
    queryKey: ["content", collection, "links"],
    enabled: collection !== undefined,
    queryFn: () => answer(api.GET("/content/{collection}", { params: { path: { collection: collection ?? "" }, query: { limit: LOOKED_THROUGH, orderBy: "updatedAt" } } })),
  });
  if (/^(?:https?:|mailto:|tel:|\/|#)/i.test(query.trim()) || all.data?.length === 0 || all.isError) return null;
  const asked = plain(query.trim());
  const found = (entries.data?.items ?? [])
    .map(({ id, slug, data }): Entry => ({ collection: collection ?? "", id, title: titleOf({ id, slug, data }), address: slug ? `/${collection}/${slug}` : `/${collection}/${id}` }))
    .filter(({ title, address }) => plain(`${title} ${address}`).includes(asked))
    .slice(0, SHOWN);
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
      {entries.isPending ? (
        <Spinner />
      ) : entries.isError ? (
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
