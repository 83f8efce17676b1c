// What the screens about oneself ask for.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";

/** One's passkeys. */
export const passkeys = queryOptions({ queryKey: ["passkeys"], queryFn: () => answer(api.GET("/auth/passkey")) });

/** One's sessions. */
export const sessions = queryOptions({ queryKey: ["sessions"], queryFn: () => answer(api.GET("/auth/sessions")) });

/** One's accounts at sign-in providers. */
export const connections = queryOptions({ queryKey: ["connections"], queryFn: () => answer(api.GET("/auth/connections")) });

/** One's access tokens. */
export const tokens = queryOptions({ queryKey: ["tokens"], queryFn: () => answer(api.GET("/admin/api-tokens")) });

/** The applications that one let in. */
export const grants = queryOptions({ queryKey: ["grants"], queryFn: () => answer(api.GET("/oauth/grants")) });
