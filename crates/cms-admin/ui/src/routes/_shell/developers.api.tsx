// The API explorer: every operation and every tool, to be read and tried.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { Braces } from "lucide-react";

import { Explorer } from "~/explorer/Explorer";
import { addTexts } from "~/lib/language";
import { textOf } from "~/lib/search";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/developers/api")({
  staticData: {
    place: { label: msg`API explorer`, icon: Braces, group: "system", at: 20, permission: "schema:read", key: "e", words: msg`developers rest openapi swagger mcp tools curl` },
  },
  validateSearch: (search: Record<string, unknown>) => textOf(search, "operation", "tool", "q", "list"),
  loader: () => addTexts("explorer"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const looked = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="schema:read" title={t`API explorer`}>
      <Explorer looked={looked} onLook={(search) => void navigate({ search, replace: true, resetScroll: false })} />
    </Needs>
  );
}
