// What was changed last in every collection.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { createFileRoute } from "@tanstack/react-router";
import { Files } from "lucide-react";

import { PageHeader } from "~/components/PageHeader";
import { AllContent } from "~/content/AllContent";
import { Needs } from "~/session/Needs";

export const Route = createFileRoute("/_shell/content/")({
  staticData: {
    place: { label: msg`All content`, icon: Files, group: "content", at: 10, permission: "content:read_drafts", key: "c", words: msg`entries articles posts pages recent` },
  },
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="content:read_drafts" title={t`All content`}>
      <PageHeader title={t`All content`} description={<Trans>What was changed last, in every collection.</Trans>} />
      <AllContent />
    </Needs>
  );
}
