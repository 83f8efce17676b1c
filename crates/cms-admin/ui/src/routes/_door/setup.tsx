// The first visit: the site's name, the first administrator, and their passkey.

import { createFileRoute } from "@tanstack/react-router";

import { Setup } from "~/door/Setup";
import { textOf } from "~/lib/search";

interface Search {
  /** Why setting up with a provider failed. */
  error?: string;
}

export const Route = createFileRoute("/_door/setup")({
  validateSearch: (search: Record<string, unknown>): Search => textOf(search, "error"),
  component: function Page() {
    return <Setup error={Route.useSearch().error} />;
  },
});
