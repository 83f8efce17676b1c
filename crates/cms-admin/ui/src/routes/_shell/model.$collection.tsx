// A collection of the content model: its fields and settings.

import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";

import { addTexts } from "~/lib/language";
import { textOf } from "~/lib/search";
import { CollectionScreen } from "~/modelling/CollectionScreen";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/model/$collection")({
  validateSearch: (search: Record<string, unknown>) => textOf(search, "tab"),
  loader: () => addTexts("modelling"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  const { collection } = Route.useParams();
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Needs permission="schema:manage" title={t`Content model`}>
      <CollectionScreen key={collection} slug={collection} tab={tab} onTab={(tab) => void navigate({ search: tab ? { tab } : {}, replace: true })} />
    </Needs>
  );
}
