// How far work on many entries is, and in the end those with which it did not work. It goes on when the dialog is closed.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useEffectEvent, useState } from "react";

import { messageOf } from "~/api/errors";
import type { BulkChange } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";

import { bulkChange, isOver, stop } from "./bulk";
import { Failures } from "./dialogs";

interface BulkDialogProps {
  job: string;
  title: string;
  /** Whether that with which it does not work is still selected afterwards. */
  staysSelected: boolean;
  /** It is over. Told once, also when nobody looks at the dialog any more. */
  onOver: (result: BulkChange) => void;
  /** There is nothing more to tell here. Says what came of it where it is over. */
  onClose: (result?: BulkChange) => void;
}

export function BulkDialog({ job, title, staysSelected, onOver, onClose }: BulkDialogProps) {
  const { t } = useLingui();
  const { number } = useFormat();
  const [isHidden, setHidden] = useState(false);
  const { data, error, refetch } = useQuery(bulkChange(job));
  const stopping = useMutation({ mutationFn: () => stop(job), onSettled: () => refetch() });
  const isDone = data !== undefined && isOver(data);

  const over = useEffectEvent(() => {
    if (!data) return;
    onOver(data);
    if (data.state === "done" && data.failed === 0) onClose(data);
  });
  useEffect(() => {
    if (isDone) over();
  }, [isDone]);

  // What did not work is told whether or not somebody waited for it.
  if (isHidden && !isDone && !error) return null;
  const { changed = 0, skipped = 0, failed = 0, total, state } = data ?? {};
  const through = number(changed + skipped + failed);
  const hide = () => (isDone || error ? onClose(isDone ? data : undefined) : setHidden(true));
  return (
    <Dialog open onOpenChange={hide} role="alertdialog" title={title}>
      <div className="grid gap-2">
        <p role="status">
          {total === undefined || total === null ? (
            <Trans>Looking for the entries…</Trans>
          ) : (
            <Trans>
              {through} of <Plural value={total} one="# entry" other="# entries" />
            </Trans>
          )}
        </p>
        {!isDone && !error && <progress aria-label={title} className={BAR} max={total ?? undefined} value={total ? changed + skipped + failed : undefined} />}
      </div>
      {(error ?? stopping.error) && <Notice tone="bad">{messageOf(error ?? stopping.error)}</Notice>}
      {state === "failed" && (
        <Notice tone="bad" title={<Trans>It ended before everything was done</Trans>}>
          {data?.error}
        </Notice>
      )}
      {state === "cancelled" && (
        <Notice tone="warn">
          <Trans>It was stopped. What was done stays done.</Trans>
        </Notice>
      )}
      {isDone && failed > 0 && (
        <Suspense>
          <Failures change={data} staysSelected={staysSelected} />
        </Suspense>
      )}
      <DialogActions>
        {!isDone && !error && (
          <Button pending={stopping.isPending} onClick={() => stopping.mutate()}>
            <Trans>Stop</Trans>
          </Button>
        )}
        <Button variant="primary" autoFocus onClick={hide}>
          {isDone || error ? t`Close` : t`Continue in the background`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
