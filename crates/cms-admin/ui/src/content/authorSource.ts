// Who can be made the author of entries.

import { useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { EntryAuthor } from "~/api/types";
import { knownSource, type Option, type Source } from "~/components/picker/source";
import { useCan, useMe } from "~/session/session";

import { authorName, authors } from "./entries";

const optionOf = (author: EntryAuthor): Option => ({ id: author.id, label: authorName(author), ...(author.name ? { hint: author.email } : {}) });

/** Everybody who has an account and may use it. */
const people: Source<Option> = {
  key: ["people"],
  load: async ({ text, cursor, signal }) => {
    const { items, nextCursor } = await answer(api.GET("/admin/users", { params: { query: { ...(text ? { search: text } : {}), ...(cursor ? { cursor } : {}) } }, signal }));
    return { items: items.filter(({ disabled }) => !disabled).map(optionOf), nextCursor };
  },
};

/** Whoever may see the accounts can hand entries to people who own none yet. */
export function useAuthorSource(collection: string): Source<Option> {
  const can = useCan();
  const me = useMe();
  const owners = useQuery(authors(collection)).data ?? [];
  return can("users:read") ? people : knownSource(["authors", collection], [...new Map([me, ...owners].map((author) => [author.id, optionOf(author)])).values()]);
}
