// Signing in: with a passkey first, else by e-mail or at a provider. Whoever is signed in already goes on at once.

import { i18n } from "@lingui/core";
import { createFileRoute, redirect } from "@tanstack/react-router";

import { toast } from "~/components/toast";
import { safePath } from "~/door/finish";
import { Login } from "~/door/Login";
import { loginError } from "~/door/loginErrors";
import { mode } from "~/door/queries";
import { home } from "~/lib/site";
import { me } from "~/session/session";

interface Search {
  /** Where to go afterwards, inside this application. */
  return?: string;
  /** Why signing in elsewhere failed. */
  error?: string;
}

export const Route = createFileRoute("/_door/login")({
  validateSearch: (search: Record<string, unknown>): Search => ({
    ...(typeof search.return === "string" ? { return: search.return } : {}),
    ...(typeof search.error === "string" ? { error: search.error } : {}),
  }),
  beforeLoad: async ({ context, search, preload }) => {
    const { signedIn } = await context.queries.query({ ...mode, staleTime: 0 }).catch(() => ({ signedIn: false }));
    // Only whose account the shell can show as well: two pages that send people to each other would never end.
    if (!signedIn || !(await context.queries.query({ ...me, staleTime: 0 }).catch(() => undefined))) return;
    if (search.error && !preload) toast.bad(i18n._(loginError(search.error)));
    throw redirect({ href: home + safePath(search.return), replace: true });
  },
  // Which buttons there are is known before the first one is drawn, so that none moves.
  loader: ({ context }) => context.queries.query(mode).catch(() => undefined),
  component: function Page() {
    const search = Route.useSearch();
    return <Login back={search.return} error={search.error} />;
  },
});
