// A question before something that cannot be taken back. It stays open while the work is under way, and says what went wrong.

import { Trans } from "@lingui/react/macro";
import { useState, type ReactNode } from "react";

import { messageOf } from "~/api/errors";

import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** What the button says: the deed, as in “Delete passkey”. */
  confirm: ReactNode;
  /** Does it. The dialog closes when it succeeds. */
  onConfirm: () => Promise<unknown>;
  danger?: boolean;
  children?: ReactNode;
}

export function ConfirmDialog({ open, onOpenChange, title, description, confirm, onConfirm, danger, children }: ConfirmDialogProps) {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function go() {
    setPending(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  }

  function close(open: boolean) {
    setProblem(undefined);
    onOpenChange(open);
  }

  return (
    <Dialog open={open} onOpenChange={close} role="alertdialog" locked={isPending} title={title} description={description}>
      {children}
      {problem && <Notice tone="bad">{problem}</Notice>}
      <DialogActions>
        <Button autoFocus disabled={isPending} onClick={() => close(false)}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant={danger ? "danger" : "primary"} pending={isPending} onClick={() => void go()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
