// What somebody may do with an entry, by their permissions and by whose it is. The server decides; this spares people what it would refuse.

import type { Entry, Permission, TrashedEntry } from "~/api/types";

type Owned = Pick<Entry | TrashedEntry, "authorId" | "status" | "publishedAt">;

export interface May {
  create: boolean;
  edit: (entry: Owned) => boolean;
  publish: (entry: Owned) => boolean;
  trash: (entry: Owned) => boolean;
  restore: (entry: Owned) => boolean;
  duplicate: (entry: Owned) => boolean;
  translate: (entry: Owned) => boolean;
  /** Change it together with others. */
  select: (entry: Owned) => boolean;
  /** Change any entries together, and not only what is one's own. */
  selectAny: boolean;
  /** Publish anything, and not only what is one's own. */
  publishSome: boolean;
  trashSome: boolean;
  changeAuthor: boolean;
  deleteForEver: boolean;
  shareViews: boolean;
}

/** What a user may do. */
export function mayOf(user: string, can: (permission: Permission) => boolean): May {
  const owned = (own: Permission, any: Permission, ownDraft?: Permission) => (entry: Owned) => {
    if (can(any)) return true;
    if (entry.authorId !== user) return false;
    return can(own) || (ownDraft !== undefined && can(ownDraft) && isUnapproved(entry));
  };
  const edit = owned("content:edit_own", "content:edit_any", "content:edit_own_draft");
  const create = can("content:create");
  const publish = owned("content:publish_own", "content:publish_any");
  const trash = owned("content:delete_own", "content:delete_any");
  const copy = (entry: Owned) => create && edit(entry);
  return {
    create,
    edit,
    publish,
    trash,
    restore: edit,
    duplicate: copy,
    translate: copy,
    select: (entry) => publish(entry) || trash(entry),
    selectAny: can("content:publish_any") || can("content:delete_any"),
    publishSome: can("content:publish_own") || can("content:publish_any"),
    trashSome: can("content:delete_own") || can("content:delete_any"),
    changeAuthor: can("content:edit_any"),
    deleteForEver: can("content:delete_permanent"),
    shareViews: can("content:edit_any"),
  };
}

/** Whether nobody has approved of an entry: it was never published, and is not going to be. */
function isUnapproved({ status, publishedAt }: Owned): boolean {
  return status === "draft" && publishedAt === null;
}
