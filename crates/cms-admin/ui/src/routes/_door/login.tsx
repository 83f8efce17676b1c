// Signing in: with a passkey first, else by e-mail or at a provider.

import { createFileRoute } from "@tanstack/react-router";

import { Login } from "~/door/Login";
import { mode } from "~/door/queries";

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
  // Which buttons there are is known before the first one is drawn, so that none moves.
  loader: ({ context }) => context.queries.query(mode).catch(() => undefined),
  component: function Page() {
    const search = Route.useSearch();
    return <Login back={search.return} error={search.error} />;
  },
});
