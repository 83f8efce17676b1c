// Leaving an entry: what is on the screen is sent first. Where that cannot be, it stays in this browser, and whoever leaves is told.

import { Trans } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Spinner } from "~/components/Spinner";
import type { Standing } from "~/editing/draft";
import { isSending, useIsSending } from "~/media/picker/sending";

import { useCell } from "./model/cell";
import { useDraft, useSession } from "./model/context";

/** How long one waits for the server before one is asked, in milliseconds. */
const PATIENCE = 4_000;

export function LeaveGuard({ standing, hasUnsaved }: { standing: Standing; hasUnsaved: boolean }) {
  const session = useSession();
  const isKept = useCell(session.journal.works);
  const hasMistakes = useDraft(({ issues }) => issues.length > 0);
  const isUploading = useIsSending();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => (hasUnsaved || isUploading) && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasUnsaved || isUploading,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  /** Which attempt to leave could not be saved in time. */
  const [failed, setFailed] = useState<unknown>();
  const isWaiting = failed !== blocker.proceed;

  const leave = useEffectEvent(() => {
    const { proceed } = blocker;
    const patience = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE));
    void Promise.race([session.draft.flush(), patience]).then((isSaved) => {
      if (isSaved && !isSending()) proceed?.();
      else setFailed(() => proceed);
    });
  });
  useEffect(() => {
    if (isBlocked) leave();
  }, [isBlocked]);

  return (
    <Dialog
      open={isBlocked}
      onOpenChange={(open) => !open && blocker.reset?.()}
      role="alertdialog"
      title={isWaiting ? <Trans>Saving…</Trans> : isUploading ? <Trans>A file is still being uploaded</Trans> : <Trans>Not everything is saved</Trans>}
      description={
        isWaiting ? (
          <Trans>This takes a moment.</Trans>
        ) : isUploading ? (
          <Trans>Its upload ends if you leave now.</Trans>
        ) : !isKept ? (
          <Trans>This browser cannot keep your changes either. They are lost if you leave now.</Trans>
        ) : standing === "conflict" ? (
          <Trans>Somebody else changed the same place. Your changes are kept in this browser, and offered when you come back.</Trans>
        ) : standing === "offline" ? (
          <Trans>The server cannot be reached. Your changes are kept in this browser, and offered when you come back.</Trans>
        ) : hasMistakes ? (
          <Trans>Something needs a look first. Your changes are kept in this browser, and offered when you come back.</Trans>
        ) : (
          <Trans>The server does not take your changes. They are kept in this browser, and offered when you come back.</Trans>
        )
      }
    >
      {isWaiting && <Spinner />}
      <DialogActions>
        <Button onClick={() => blocker.proceed?.()}>
          <Trans>Leave</Trans>
        </Button>
        <Button variant="primary" autoFocus onClick={() => blocker.reset?.()}>
          <Trans>Stay here</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
