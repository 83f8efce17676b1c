// Changes of the model, each over the revision that was read.

import { useLingui } from "@lingui/react/macro";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { answer, api } from "~/api/client";
import { ApiError, isCode } from "~/api/errors";
import type { Collection } from "~/api/types";
import { collection as collectionQuery, collections } from "~/content/collections";
import { isSame } from "~/lib/same";

/** Every collection with its fields, for what is said of all of them. */
export const exportedKey = ["collections", "", "exported"];

/** Has all that is made of the model asked for anew. */
export async function modelChanged(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: collections.queryKey });
}

/** The code of a change that somebody else's is in the way of. */
export const OVERTAKEN = "OVERTAKEN";

interface Part {
  collection: Collection;
  /** What of a collection the change is about. */
  of: (collection: Collection) => unknown;
  send: (rev: string) => Promise<unknown>;
}

/**
 * Sends a change over the revision that was read. A revision is one of the whole collection: where somebody else changed another part of it meanwhile, the
 * change is sent again; where it was the same part, it is refused with `OVERTAKEN`, and with who it was, as `who` in its details.
 */
export function useChange(): (part: Part) => Promise<void> {
  const queries = useQueryClient();
  const explain = useOvertaken();
  return useCallback(
    async ({ collection, of, send }) => {
      try {
        await send(collection._rev);
      } catch (error) {
        if (!isCode(error, "CONFLICT")) throw error;
        const fresh = await queries.query({ ...collectionQuery(collection.slug), staleTime: 0 });
        void modelChanged(queries);
        if (!isSame(of(collection), of(fresh))) {
          const who = await lastAuthor(collection.slug);
          throw new ApiError({ status: 409, code: OVERTAKEN, message: explain(who), details: { who } });
        }
        await send(fresh._rev);
      }
      await modelChanged(queries);
    },
    [queries, explain],
  );
}

/** Who changed a collection or one of its fields last; none where nobody can tell. */
async function lastAuthor(slug: string): Promise<string | undefined> {
  const lines = await answer(api.GET("/admin/audit", { params: { query: { action: "schema.update_field", limit: 20 } } }))
    .then(({ items }) => items)
    .catch(() => []);
  const others = await answer(api.GET("/admin/audit", { params: { query: { resourceType: "collection", resourceId: slug, limit: 1 } } }))
    .then(({ items }) => items)
    .catch(() => []);
  const about = lines.filter(({ resource }) => resource.id?.startsWith(`${slug}.`));
  const actor = [...about, ...others].sort((one, other) => (one.at < other.at ? 1 : -1))[0]?.actor;
  return actor?.name ?? actor?.email ?? undefined;
}

function useOvertaken(): (who: string | undefined) => string {
  const { t } = useLingui();
  return useCallback(
    (who) =>
      who
        ? t`${who} changed this in the meantime. What you changed is still here, and everything else is now as it was saved. Save again if you still want it so.`
        : t`Somebody changed this in the meantime. What you changed is still here, and everything else is now as it was saved. Save again if you still want it so.`,
    [t],
  );
}
