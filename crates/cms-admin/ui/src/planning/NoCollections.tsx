// What stands here where there is nothing to plan yet.

import { Trans } from "@lingui/react/macro";
import { Boxes } from "lucide-react";

import { Card } from "~/components/Card";
import { EmptyState } from "~/components/states";

export function NoCollections() {
  return (
    <Card flush>
      <EmptyState icon={<Boxes />} title={<Trans>No collections yet</Trans>}>
        <Trans>Content lives in collections, such as articles or pages. An administrator makes them.</Trans>
      </EmptyState>
    </Card>
  );
}
