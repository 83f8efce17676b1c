// What the server tells people who are not signed in.

import { queryOptions, useQuery } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

/** The ways to sign in that this site has, what it is called, and whether somebody is signed in already. */
export const mode = queryOptions({ queryKey: ["mode"], queryFn: () => answer(api.GET("/auth/mode")), staleTime: 60_000 });

/** Whether the site still has to be set up. */
export const setupStatus = queryOptions({ queryKey: ["setup"], queryFn: () => answer(api.GET("/setup/status")), staleTime: 5_000 });

/** Whether a gateway lets people in. Not while that is not known. */
export function hasGateway(known: { authMode?: string | null } | undefined): boolean {
  return known?.authMode === "gateway";
}

/** Whether the site sends mail. It may, and still let nobody sign in by a link. */
export function hasMail(known: { magicLinkEnabled: boolean; mailEnabled?: boolean } | undefined): boolean {
  return known?.mailEnabled ?? known?.magicLinkEnabled ?? false;
}

/** What the site is called: by its host until somebody has named it. */
export function useSiteName(): string {
  return useQuery(mode).data?.title ?? location.hostname;
}

/** What people call a provider: by its id where the server has it no more. */
export function useProviderName(): (id: string) => string {
  const providers = useQuery(mode).data?.providers;
  return (id) => providers?.find((provider) => provider.id === id)?.label ?? id;
}
