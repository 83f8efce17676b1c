// Import and export: content in from a file, out as a file, and how far each is.

import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { ArrowDownUp } from "lucide-react";

import { Badge } from "~/components/Badge";
import { Card } from "~/components/Card";
import { PageHeader } from "~/components/PageHeader";
import { Loaded } from "~/components/states";
import { useCommands } from "~/jobs/useCommands";
import { useJobs } from "~/jobs/useJobs";
import { Needs } from "~/session/Needs";
import { collections } from "~/content/collections";
import { ExportCard } from "~/transfer/ExportCard";
import { ImportCard } from "~/transfer/ImportCard";
import { isTransfer, Transfers } from "~/transfer/Transfers";

export const Route = createFileRoute("/_shell/import-export")({
  staticData: {
    place: { label: msg`Import and export`, icon: ArrowDownUp, group: "system", at: 5, permission: "import:execute", key: "x", words: msg`upload download file ndjson lines content migrate` },
  },
  component: Screen,
});

function Screen() {
  const { t } = useLingui();
  return (
    <Needs permission="import:execute" title={t`Import and export`}>
      <ImportAndExport />
    </Needs>
  );
}

function ImportAndExport() {
  const { t } = useLingui();
  // Somebody may have made one since the navigation asked.
  const known = useQuery({ ...collections, refetchOnMount: "always" });
  const { query, isFollowed } = useJobs();
  const { buttons, dialog } = useCommands();
  return (
    <>
      <PageHeader
        title={t`Import and export`}
        description={<Trans>Content comes in from files and goes out as files. Once a file is uploaded you can leave this page. Signing out stops imports and exports.</Trans>}
      />
      <div className="grid gap-6">
        <Loaded query={known}>
          {(collections) => (
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <ImportCard collections={collections} />
              <ExportCard collections={collections} />
            </div>
          )}
        </Loaded>
        <Card flush id="transfers" title={<Trans>Imports and exports</Trans>} actions={isFollowed && <Badge tone="good">{t`Live`}</Badge>}>
          <Loaded query={query}>{(all) => <Transfers jobs={all.filter(isTransfer)} buttons={buttons} />}</Loaded>
        </Card>
      </div>
      {dialog}
    </>
  );
}
