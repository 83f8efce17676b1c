// How the collections of the content model are related. The address is none that a collection can have.

import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";

import { addTexts } from "~/lib/language";
import { textOf } from "~/lib/search";
import { MapScreen } from "~/modelling/map/MapScreen";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/model/as-map")({
  validateSearch: (search: Record<string, unknown>) => textOf(search, "q", "as"),
  loader: () => addTexts("modelling"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const { q, as } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="schema:manage" title={t`Content model`}>
      <MapScreen text={q} look={as} onSearch={(search) => void navigate({ search, replace: true })} />
    </Needs>
  );
}
