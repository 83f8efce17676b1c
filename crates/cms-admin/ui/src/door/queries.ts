// What the server tells people who are not signed in.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

/** The ways to sign in that this site has. */
export const mode = queryOptions({ queryKey: ["mode"], queryFn: () => answer(api.GET("/auth/mode")), staleTime: 60_000 });

/** Whether the site still has to be set up. */
export const setupStatus = queryOptions({ queryKey: ["setup"], queryFn: () => answer(api.GET("/setup/status")), staleTime: 5_000 });
