// Whose entries are: what their owners are called, and whom they can be given to.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { EntryAuthor } from "~/api/types";
import { knownSource, type Option, type Source } from "~/components/picker/source";
import { useCan, useMe } from "~/session/session";

/** Whoever owns entries of a collection. */
export const authors = (collection: string) =>
  queryOptions({
    queryKey: ["authors", collection],
    queryFn: () => answer(api.GET("/content/{collection}/authors", { params: { path: { collection } } })).then(({ items }) => items),
    staleTime: 60_000,
  });

export const authorName = ({ name, email }: Pick<EntryAuthor, "name" | "email">) => name ?? email;

/** Says what the owner of an entry is called. */
export function useAuthorName(collection: string): (id: string | null) => string {
  const { data } = useQuery(authors(collection));
  const byId = new Map(data?.map((author) => [author.id, authorName(author)]));
  return (id) => (id === null ? "–" : (byId.get(id) ?? ""));
}

const optionOf = (author: EntryAuthor): Option => ({ id: author.id, label: authorName(author), ...(author.name ? { hint: author.email } : {}) });

/** Everybody who has an account and may use it. */
const people: Source<Option> = {
  key: ["people"],
  load: async ({ text, cursor, signal }) => {
    const { items, nextCursor } = await answer(api.GET("/admin/users", { params: { query: { ...(text ? { search: text } : {}), ...(cursor ? { cursor } : {}) } }, signal }));
    return { items: items.filter(({ disabled }) => !disabled).map(optionOf), nextCursor };
  },
};

/** Whom entries of a collection can be given to: everybody, for whoever may see the accounts, and otherwise those who own some. */
export function useAuthorSource(collection: string): Source<Option> {
  const can = useCan();
  const me = useMe();
  const owners = useQuery(authors(collection)).data ?? [];
  return can("users:read") ? people : knownSource(["authors", collection], [...new Map([me, ...owners].map((author) => [author.id, optionOf(author)])).values()]);
}
