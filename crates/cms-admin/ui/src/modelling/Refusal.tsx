// Why a change of the model was refused, in words, with what is in its way.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";

import { answer, api } from "~/api/client";
import { ApiError, isCode, sentence } from "~/api/errors";
import type { Collection } from "~/api/types";
import { collection } from "~/content/collections";
import { titleIn } from "~/content/titleField";

import { OVERTAKEN } from "./change";

/** A slug that cannot be had is said at the slug. */
export function atSlug(error: unknown): never {
  if (isCode(error, "FIELD_EXISTS", "RESERVED_SLUG", "COLLECTION_EXISTS")) {
    const { status, code, message } = error;
    throw new ApiError({ status, code, message, issues: [{ path: "slug", code, message }] });
  }
  throw error;
}

/** The sentence for what is refused as a whole; none where that is not said here. */
export function useExplain(): (error: unknown) => string | undefined {
  const { t } = useLingui();
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return undefined;
      switch (error.code) {
        case OVERTAKEN:
          return error.message;
        case "FIELD_HAS_VALUES":
          return t`Nothing was changed: entries have values that stand in the way.`;
        case "LEFTOVERS_PENDING":
          return t`Values of a deleted field are still being removed, and it may have had this slug. Try again in a moment.`;
        case "INDEX_BUILDING":
          return t`The field is still being indexed. Try again when that is done.`;
        case "FIELD_NOT_FOUND":
          return t`Somebody deleted this field in the meantime.`;
        case "COLLECTION_NOT_FOUND":
          return t`Somebody deleted this collection in the meantime.`;
        case "REFERENCED":
          return t`Entries of other collections refer to entries of this one, and keep them from being deleted. Take those references out first.`;
        default:
          return undefined;
      }
    },
    [t],
  );
}

interface Named {
  id: string;
  reason?: string;
  collection?: string;
}

/** The entries that a change failed because of, as far as they are named. */
export function Refusal({ error, collection: of }: { error: unknown; collection: Pick<Collection, "slug"> }) {
  if (!(error instanceof ApiError)) return null;
  const { entries, references } = error.details as { entries?: Named[] | number; references?: Named[] };
  const named = Array.isArray(entries) ? entries : (references ?? []);
  if (named.length === 0) return null;
  return (
    <ul className="grid gap-1.5 text-sm">
      {named.map(({ id, reason, collection: other = of.slug }) => (
        <li key={`${other} ${id}`} className="rounded-md border border-line bg-sunken px-3 py-2">
          <Entry collection={other} id={id} />
          {reason && <p className="wrap-anywhere text-muted">{sentence(reason)}</p>}
        </li>
      ))}
      <li className="text-muted">
        <Trans>There may be more. Each link opens the entry in a new tab.</Trans>
      </li>
    </ul>
  );
}

/** An entry by its title, which leads to it. */
function Entry({ collection: slug, id }: { collection: string; id: string }) {
  const { data } = useQuery(collection(slug));
  const entry = useQuery({
    queryKey: ["content", slug, id, "title"],
    queryFn: () => answer(api.GET("/content/{collection}/{id}", { params: { path: { collection: slug, id } } })).then(({ item }) => item),
  });
  const title = data && entry.data && titleIn(data, entry.data.data);
  return (
    <Link to="/content/$collection/$id" params={{ collection: slug, id }} target="_blank" className="break-words text-accent-ink underline underline-offset-2">
      {title && (
        <>
          <bdi className="font-medium">{title}</bdi>{" "}
        </>
      )}
      <code className="font-mono text-xs break-all">
        {slug}/{id}
      </code>
    </Link>
  );
}
