// How far work on many entries is, a button that stops it, and in the end those with which it did not work.

import { Plural, Trans } from "@lingui/react/macro";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { messageOf } from "~/api/errors";
import type { Entry } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { BAR } from "~/jobs/Progress";
import { useFormat } from "~/lib/format";

import type { BulkResult, Failed, Progress } from "./bulk";

interface BulkDialogProps {
  title: string;
  /** Does it. */
  run: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<BulkResult>;
  /** It is over, before the dialog is closed. */
  onResult: (result: BulkResult) => void;
  onClose: () => void;
  titleOf: (entry: Entry) => string;
}

/** How many failures are listed. The others stay selected all the same. */
const LISTED = 50;

export function BulkDialog({ title, run, onResult, onClose, titleOf }: BulkDialogProps) {
  const { number } = useFormat();
  const [progress, setProgress] = useState<Progress>();
  const [result, setResult] = useState<BulkResult>();
  const [problem, setProblem] = useState<string>();
  const [isCancelled, setCancelled] = useState(false);
  const controller = useRef<AbortController>(undefined);

  const start = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const result = await run(signal, setProgress);
      onResult(result);
      if (result.failed.length === 0) onClose();
      else setResult(result);
    } catch (error) {
      if (signal.aborted) onClose();
      else setProblem(messageOf(error));
    }
  });
  useEffect(() => {
    if (controller.current) return;
    controller.current = new AbortController();
    void start(controller.current.signal);
  }, []);

  const isOver = result !== undefined || problem !== undefined;
  const { done = 0, total } = progress ?? {};
  const through = number(done);
  return (
    <Dialog open onOpenChange={onClose} role="alertdialog" locked={!isOver} title={title}>
      <div className="grid gap-2">
        <p role="status">
          {total === undefined ? (
            <Trans>Looking for the entries…</Trans>
          ) : (
            <Trans>
              {through} of <Plural value={total} one="# entry" other="# entries" />
            </Trans>
          )}
        </p>
        {!isOver && <progress aria-label={title} className={BAR} max={total} value={total === undefined ? undefined : done} />}
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {result && <Failures failed={result.failed} titleOf={titleOf} />}
      <DialogActions>
        {isOver ? (
          <Button variant="primary" autoFocus onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        ) : (
          <Button
            autoFocus
            pending={isCancelled}
            onClick={() => {
              setCancelled(true);
              controller.current?.abort();
            }}
          >
            <Trans>Stop</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function Failures({ failed, titleOf }: { failed: Failed[]; titleOf: (entry: Entry) => string }) {
  const more = failed.length - LISTED;
  return (
    <div className="mt-4">
      <Notice tone="warn" title={<Plural value={failed.length} one="It did not work for # entry" other="It did not work for # entries" />}>
        <Trans>They stay selected.</Trans>
      </Notice>
      <ul className="mt-3 grid max-h-64 gap-2 overflow-y-auto" tabIndex={0}>
        {failed.slice(0, LISTED).map(({ entry, error }) => (
          <li key={entry.id}>
            <bdi className="block truncate font-medium">{titleOf(entry)}</bdi>
            <span className="text-sm text-muted">{messageOf(error)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-2 text-sm text-muted">
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </div>
  );
}
