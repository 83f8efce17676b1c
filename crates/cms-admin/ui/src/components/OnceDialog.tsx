// A secret that is shown once. Whoever is about to lose it without having copied it is asked first.

import { Trans } from "@lingui/react/macro";
import { useState, type ReactNode } from "react";

import { Button } from "./Button";
import { CopyField } from "./CopyField";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

interface OnceDialogProps {
  title: ReactNode;
  /** What the value is. */
  label: string;
  value: string;
  /** Hidden until it is asked for. */
  secret?: boolean;
  hint?: string;
  onClose: () => void;
  /** What there is to know about it. */
  children: ReactNode;
}

export function OnceDialog({ title, label, value, secret, hint, onClose, children }: OnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog
      open
      // Escape comes by mistake. A second one goes back, and never away.
      onOpenChange={() => (isCopied ? onClose() : setAsking(!isAsking))}
      role="alertdialog"
      size="md"
      title={title}
    >
      <div className="grid gap-5">
        {children}
        <CopyField label={label} value={value} {...(secret ? { secret } : {})} {...(hint ? { hint } : {})} onCopied={() => setCopied(true)} />
        {isAsking && !isCopied ? (
          <Notice
            tone="bad"
            title={<Trans>Close without copying it?</Trans>}
            action={
              <>
                <Button size="sm" autoFocus onClick={() => setAsking(false)}>
                  <Trans>Go back</Trans>
                </Button>
                <Button size="sm" variant="danger" onClick={onClose}>
                  <Trans>Close anyway</Trans>
                </Button>
              </>
            }
          >
            <Trans>It cannot be shown again.</Trans>
          </Notice>
        ) : (
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              {isCopied ? <Trans>Done</Trans> : <Trans>I have copied it</Trans>}
            </Button>
          </DialogActions>
        )}
      </div>
    </Dialog>
  );
}
