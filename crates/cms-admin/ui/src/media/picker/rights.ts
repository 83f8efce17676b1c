// What whoever is there may do with the library, as far as it concerns those who pick from it.

import { useQuery } from "@tanstack/react-query";

import type { Permission } from "~/api/types";
import { me } from "~/session/session";

import type { MediaItem } from "./value";

export interface MediaRights {
  read: boolean;
  upload: boolean;
  /** Whether they may say something else of an item. */
  edit: (item: MediaItem) => boolean;
}

/** Where nobody is known to be there, as in the preview of a form, nothing is offered. */
export function useMediaRights(): MediaRights {
  const { data } = useQuery({ ...me, enabled: false });
  const can = (permission: Permission) => data?.permissions.includes(permission) ?? false;
  const read = can("media:read");
  return { read, upload: read && can("media:upload"), edit: ({ authorId }) => can("media:edit_any") || (can("media:edit_own") && authorId === data?.id) };
}
