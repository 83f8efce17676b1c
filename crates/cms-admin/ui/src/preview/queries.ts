// What previews ask for.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

interface Named {
  collection: string;
  id: string;
}

/** The links to an entry that are good, the newest first: fifty at most. */
export const fetchLinks = ({ collection, id }: Named, signal?: AbortSignal) =>
  answer(api.GET("/content/{collection}/{id}/preview-url", { params: { path: { collection, id } }, ...(signal ? { signal } : {}) })).then(({ items }) => items);

export const links = (entry: Named) =>
  queryOptions({ queryKey: ["content", entry.collection, entry.id, "preview-links"], queryFn: ({ signal }) => fetchLinks(entry, signal), staleTime: 0 });
