// Leaving an entry: what is on the screen is sent first. Where that cannot be, it stays in this browser, and whoever leaves is told.

import { Trans } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";

import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Spinner } from "~/components/Spinner";
import type { Standing } from "~/editing/draft";

import { useCell } from "./model/cell";
import { useSession } from "./model/context";

/** How long one waits for the server before one is asked, in milliseconds. */
const PATIENCE = 4_000;

export function LeaveGuard({ standing, hasUnsaved }: { standing: Standing; hasUnsaved: boolean }) {
  const session = useSession();
  const isKept = useCell(session.journal.works);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasUnsaved,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  const [isWaiting, setWaiting] = useState(false);

  const leave = useEffectEvent(async () => {
    setWaiting(true);
    const isSaved = await Promise.race([session.draft.flush(), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE))]);
    setWaiting(false);
    if (isSaved) blocker.proceed?.();
  });
  useEffect(() => {
    if (isBlocked) void leave();
  }, [isBlocked]);

  return (
    <Dialog
      open={isBlocked}
      onOpenChange={(open) => !open && blocker.reset?.()}
      role="alertdialog"
      title={isWaiting ? <Trans>Saving…</Trans> : <Trans>Not everything is saved</Trans>}
      description={
        isWaiting ? (
          <Trans>This takes a moment.</Trans>
        ) : !isKept ? (
          <Trans>This browser could not keep it either. Stay here until it is saved, or it is lost.</Trans>
        ) : standing === "conflict" ? (
          <Trans>Somebody else changed the same place. What you wrote is kept in this browser, and waits here for you.</Trans>
        ) : standing === "offline" ? (
          <Trans>The server cannot be reached. What you wrote is kept in this browser, and waits here for you.</Trans>
        ) : (
          <Trans>Something needs a look first. What you wrote is kept in this browser, and waits here for you.</Trans>
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
