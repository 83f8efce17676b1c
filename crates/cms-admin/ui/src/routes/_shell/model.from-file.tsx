// The content model as a file. The address is none that a collection can have.

import { useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";

import { addTexts } from "~/lib/language";
import { FileScreen } from "~/modelling/file/FileScreen";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/model/from-file")({
  loader: () => addTexts("modelling"),
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="schema:manage" title={t`Content model`}>
      <FileScreen />
    </Needs>
  );
}
