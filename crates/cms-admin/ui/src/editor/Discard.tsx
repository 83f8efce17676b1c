// Gives up what only this browser has, once that was asked for twice.

import { Trans } from "@lingui/react/macro";
import { useState } from "react";

import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";

export function Discard({ onDiscard }: { onDiscard: () => Promise<unknown> }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setAsked(true)}>
        <Trans>Discard</Trans>
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        danger
        title={<Trans>Discard what was not saved?</Trans>}
        description={<Trans>There is no other copy.</Trans>}
        confirm={<Trans>Discard</Trans>}
        onConfirm={onDiscard}
      />
    </>
  );
}
