// What whoever is there may do with the library, as far as it concerns those who pick from it.

import { useQuery } from "@tanstack/react-query";

import { me } from "~/session/session";

/** Where nobody is known to be there, as in the preview of a form, nothing is offered. */
export function useMediaRights(): { read: boolean; upload: boolean } {
  const { data } = useQuery({ ...me, enabled: false });
  const read = data?.permissions.includes("media:read") ?? false;
  return { read, upload: read && (data?.permissions.includes("media:upload") ?? false) };
}
