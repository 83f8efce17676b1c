// Files on their way to the server. It shows what it is told; whoever sends the files decides what happens.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { CircleAlert, CircleCheck, Pause, Play, RotateCw, X } from "lucide-react";

import { Button, IconButton } from "~/components/Button";
import { useFormat } from "~/lib/format";

export interface Upload {
  id: string;
  name: string;
  /** In bytes. */
  size: number;
  state: "waiting" | "sending" | "paused" | "done" | "failed";
  /** How much the server has, of 1. */
  share: number;
  /** Why it failed, as a sentence. */
  problem?: string | undefined;
  /** The same file would be refused again: no other try is offered. */
  isFinal?: boolean | undefined;
}

interface UploadQueueProps {
  uploads: readonly Upload[];
  /** What can be done with one; what is left out is not offered. */
  onPause?: (id: string) => void;
  onResume?: (id: string) => void;
  onRetry: (id: string) => void;
  /** Stops one that is on its way, and takes away one that is not. */
  onCancel: (id: string) => void;
  /** Takes away what is done. */
  onClear: () => void;
}

export function UploadQueue({ uploads, onPause, onResume, onRetry, onCancel, onClear }: UploadQueueProps) {
  const { t } = useLingui();
  const count = (state: Upload["state"]) => uploads.filter((upload) => upload.state === state).length;
  const [done, failed] = [count("done"), count("failed")];
  const isOver = done + failed === uploads.length;
  const total = uploads.length;
  return (
    <section aria-label={t`Uploads`} className="overflow-hidden rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-sunken px-4 py-2.5">
        <p role="status" className="font-medium">
          {isOver ? <Plural value={done} one="# file uploaded" other="# files uploaded" /> : <Trans>{done} of {total} uploaded</Trans>}
          {failed > 0 && (
            <span className="text-bad">
              {" · "}
              <Plural value={failed} one="# failed" other="# failed" />
            </span>
          )}
        </p>
        {done > 0 && (
          <Button size="sm" variant="ghost" onClick={onClear}>
            <Trans>Clear finished</Trans>
          </Button>
        )}
      </header>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto">
        {uploads.map((upload) => (
          <Row key={upload.id} {...{ upload, onPause, onResume, onRetry, onCancel }} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = Pick<UploadQueueProps, "onPause" | "onResume" | "onRetry" | "onCancel"> & { upload: Upload };

function Row({ upload, onPause, onResume, onRetry, onCancel }: RowProps) {
  const { t } = useLingui();
  const { bytes, percent } = useFormat();
  const { id, name, size, state, share, problem, isFinal } = upload;
  const sent = Math.min(Math.max(share, 0), 1);
  const words = { waiting: t`Waiting`, sending: percent(sent), paused: t`Paused at ${percent(sent)}`, done: t`Uploaded`, failed: problem ?? t`The upload failed.` };
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="grid min-w-0 grow gap-1">
        <div className="flex min-w-0 items-baseline justify-between gap-3">
          <span className="truncate">
            <bdi>{name}</bdi>
          </span>
          <span className="shrink-0 text-sm text-muted tabular-nums">{bytes(size)}</span>
        </div>
        {(state === "sending" || state === "paused") && (
          <div role="progressbar" aria-label={name} aria-valuenow={Math.round(sent * 100)} aria-valuemin={0} aria-valuemax={100} className="h-1.5 overflow-hidden rounded-full bg-active">
            <div style={{ width: `${sent * 100}%` }} className={state === "paused" ? "h-full bg-line-strong" : "h-full bg-accent transition-[width]"} />
          </div>
        )}
        <p className={state === "failed" ? "flex gap-1.5 text-sm text-bad" : state === "done" ? "flex gap-1.5 text-sm text-good" : "text-sm text-muted"}>
          {state === "failed" && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
          {state === "done" && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />}
          {words[state]}
        </p>
      </div>
      <div className="flex shrink-0">
        {state === "sending" && onPause && <IconButton size="sm" label={t`Pause ${name}`} icon={<Pause />} onClick={() => onPause(id)} />}
        {state === "paused" && onResume && <IconButton size="sm" label={t`Resume ${name}`} icon={<Play />} onClick={() => onResume(id)} />}
        {state === "failed" && !isFinal && <IconButton size="sm" label={t`Try ${name} again`} icon={<RotateCw />} onClick={() => onRetry(id)} />}
        {state !== "done" && <IconButton size="sm" label={t`Cancel ${name}`} icon={<X />} onClick={() => onCancel(id)} />}
      </div>
    </li>
  );
}
