// A question before something that cannot be taken back. It stays open while the work is under way, and says what went wrong.

import { Trans } from "@lingui/react/macro";
import { useState, type ReactNode } from "react";

import { messageOf } from "~/api/errors";

import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { TextField } from "./Field";
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
  /** What has to be typed by whoever means it: for what is lost for good. */
  typed?: string;
  /** The words for a failure that the dialog's own are too few for. */
  explain?: (error: unknown) => ReactNode;
}

export function ConfirmDialog({ open, onOpenChange, title, description, confirm, onConfirm, danger, children, typed, explain }: ConfirmDialogProps) {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<ReactNode>();
  const [text, setText] = useState("");
  const isMeant = typed === undefined || text.trim() === typed;

  async function go() {
    setPending(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setProblem(explain?.(error) ?? messageOf(error));
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
      {typed !== undefined && (
        <TextField
          label={
            <span>
              <Trans>
                Type <code className="font-mono select-all">{typed}</code> to confirm
              </Trans>
            </span>
          }
          autoFocus
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="mb-4"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && isMeant && !isPending && void go()}
        />
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      <DialogActions>
        <Button autoFocus={typed === undefined} disabled={isPending} onClick={() => close(false)}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant={danger ? "danger" : "primary"} pending={isPending} disabled={!isMeant} onClick={() => void go()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
