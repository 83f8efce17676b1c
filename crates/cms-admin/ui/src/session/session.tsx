// Who is signed in, and what they may do.

import { queryOptions, useSuspenseQuery, type QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { Permission } from "~/api/types";
import { mode } from "~/door/queries";

/** The account of whoever is signed in. Screens behind the door may rely on it being there. */
export const me = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    const account = await answer(api.GET("/auth/me"));
    noteReads(account.permissions.includes("content:read_drafts"));
    return account;
  },
  staleTime: 60_000,
  retry: false,
});

/** Notes for `boot.js` whether what is written is worth asking for before it is known who is there. */
function noteReads(reads: boolean): void {
  try {
    localStorage.setItem("cms-reads-drafts", reads ? "1" : "");
  } catch {
    // It is then asked for a moment later.
  }
}

/** The account of whoever is signed in. */
export function useMe() {
  return useSuspenseQuery(me).data;
}

/** Says whether whoever is signed in has a permission, as in `can("users:manage")`. The server decides; this only spares people dead ends. */
export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}

/** For `beforeLoad`: goes on when somebody is signed in, else to the sign-in, which leads back here. */
export async function needSession({ context, location }: { context: { queries: QueryClient }; location: { href: string } }): Promise<void> {
  try {
    await Promise.all([context.queries.query({ ...me, staleTime: "static" }), context.queries.query({ ...mode, staleTime: "static" })]);
  } catch (error) {
    if (!isCode(error, "NOT_AUTHENTICATED", "INVALID_TOKEN", "ACCOUNT_DISABLED")) throw error;
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { return: location.href }, replace: true });
  }
}
