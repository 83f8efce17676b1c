// The question before unsaved changes are left behind.

import { Trans } from "@lingui/react/macro";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";

interface Blocker {
  status: "blocked" | "idle";
  proceed?: (() => void) | undefined;
  reset?: (() => void) | undefined;
}

export function LeaveDialog({ blocker }: { blocker: Blocker }) {
  return (
    <Dialog
      open={blocker.status === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      role="alertdialog"
      title={<Trans>Leave without saving?</Trans>}
      description={<Trans>Your changes on this page have not been saved.</Trans>}
    >
      <DialogActions>
        <Button variant="danger" onClick={() => blocker.proceed?.()}>
          <Trans>Discard changes</Trans>
        </Button>
        <Button variant="primary" autoFocus onClick={() => blocker.reset?.()}>
          <Trans>Stay here</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
