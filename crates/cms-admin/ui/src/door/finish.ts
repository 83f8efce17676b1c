// The end of every way in: forget whoever was here before, and go where they wanted to go.

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

import { home } from "~/lib/site";

/** A path of this application, or its start: whoever sent somebody here cannot send them elsewhere. */
export function safePath(path: string | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) return "/";
  const inside = path === home || path.startsWith(`${home}/`) ? path.slice(home.length) || "/" : path;
  return /^\/(login|signed-out|setup|signup|invite|magic-link)\b/.test(inside) ? "/" : inside;
}

/** Goes behind the door, as whoever has just signed in. */
export function useFinish(): (to?: string) => void {
  const queries = useQueryClient();
  const router = useRouter();
  return (to) => {
    queries.clear();
    // The page with the secret of a link in its address does not stay in the browser's history.
    router.history.replace(home + safePath(to));
  };
}
