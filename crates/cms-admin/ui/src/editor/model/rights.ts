// What whoever is there may do with an entry. The server decides; this spares people dead ends.

import { useCan, useMe } from "~/session/session";

import { useItem } from "./context";

export interface Rights {
  edit: boolean;
  publish: boolean;
  remove: boolean;
  /** Gives an entry to somebody else, and dates it. */
  own: boolean;
  create: boolean;
}

export function useRights(): Rights {
  const can = useCan();
  const me = useMe();
  const item = useItem();
  const isOwn = !item || item.authorId === me.id;
  const isDraft = !item || (item.publishedAt === null && item.status !== "published");
  return {
    edit: can("content:edit_any") || (isOwn && (can("content:edit_own") || (isDraft && can("content:edit_own_draft")))),
    publish: can("content:publish_any") || (isOwn && can("content:publish_own")),
    remove: item !== undefined && (can("content:delete_any") || (isOwn && can("content:delete_own"))),
    own: can("content:edit_any") && can("content:publish_any"),
    create: can("content:create"),
  };
}
