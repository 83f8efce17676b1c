// Who may do what in the library, by the permissions of their role.

import type { MediaItem, Permission } from "~/api/types";

export interface May {
  upload: boolean;
  /** Make, rename and delete folders. */
  sort: boolean;
  edit: (item: Pick<MediaItem, "authorId">) => boolean;
  remove: (item: Pick<MediaItem, "authorId">) => boolean;
  /** Change or delete at least one's own. */
  editSome: boolean;
  /** See which content uses an item. */
  seeUsage: boolean;
}

/** What somebody with these permissions may do. The server decides; this only spares people dead ends. */
export function mayOf(me: string, permissions: readonly Permission[]): May {
  const can = (permission: Permission) => permissions.includes(permission);
  const has = (own: Permission, any: Permission) => ({ authorId }: Pick<MediaItem, "authorId">) => can(any) || (can(own) && authorId === me);
  return {
    upload: can("media:upload"),
    sort: can("media:edit_any"),
    edit: has("media:edit_own", "media:edit_any"),
    remove: has("media:delete_own", "media:delete_any"),
    editSome: can("media:edit_own") || can("media:edit_any"),
    seeUsage: can("content:read_drafts"),
  };
}
