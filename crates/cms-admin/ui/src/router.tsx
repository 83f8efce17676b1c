// The router and the store of what was asked of the server.

import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";

import { ApiError } from "~/api/errors";
import { ErrorState } from "~/components/states";
import { isUnfetched } from "~/lib/lazily";
import { parseSearch, stringifySearch } from "~/lib/search";
import { home } from "~/lib/site";
import { NotFound } from "~/shell/NotFound";
import { Splash } from "~/shell/Splash";
import { Unfetched } from "~/shell/Unfetched";

import { routeTree } from "./routeTree.gen";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refused, it refuses again.
      retry: (count, error) => error instanceof ApiError && error.isPassing && error.status !== 429 && count < 2,
    },
  },
});

export const router = createRouter({
  routeTree,
  basepath: home,
  context: { queries },
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  // Queries know how fresh they are.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 250,
  defaultPendingComponent: Splash,
  defaultNotFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  defaultErrorComponent: ({ error, reset }) => (isUnfetched(error) ? <Unfetched error={error} /> : <ErrorState error={error} onRetry={reset} />),
  // A screen is given what it knows of an address, and nothing that somebody else wrote there.
  search: { strict: true },
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
