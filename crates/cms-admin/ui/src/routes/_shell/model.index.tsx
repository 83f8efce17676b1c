// The content model: every collection.

import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { Blocks } from "lucide-react";

import { addTexts } from "~/lib/language";
import { textOf } from "~/lib/search";
import { CollectionList } from "~/modelling/CollectionList";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/model/")({
  staticData: {
    place: { label: msg`Content model`, icon: Blocks, group: "system", at: 0, permission: "schema:manage", key: "b", words: msg`collections fields schema types builder` },
  },
  // Whether a collection is about to be made.
  validateSearch: (search: Record<string, unknown>): { new?: string } => textOf(search, "new"),
  loader: () => addTexts("modelling"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const { new: isMaking } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="schema:manage" title={t`Content model`}>
      <CollectionList isMaking={isMaking !== undefined} setMaking={(isMaking) => void navigate({ search: isMaking ? { new: "1" } : {}, replace: !isMaking })} />
    </Needs>
  );
}
