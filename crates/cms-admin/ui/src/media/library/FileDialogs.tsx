// Giving a file other bytes, and deleting it.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { isCode, messageOf } from "~/api/errors";
import type { MediaItem } from "~/api/types";
import { upload } from "~/api/upload";
import { Button } from "~/components/Button";
import { ConfirmDialog } from "~/components/ConfirmDialog";
import { Dialog, DialogActions } from "~/components/Dialog";
import { Notice } from "~/components/Notice";
import { FileChoice } from "~/components/upload/FileChoice";
import { toast } from "~/components/toast";
import { BAR } from "~/jobs/Progress";

import { mediaChanged, mediaItem, remove } from "../queries";
import { kindOf } from "../question";
import { useMay } from "../may";
import { Uncounted, Usage } from "./Usage";

export function ReplaceFile({ item, onClose }: { item: MediaItem; onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const isPicture = kindOf(item.mimeType) === "image";

  async function go(file: File) {
    setShare(0);
    setProblem(undefined);
    stop.current = new AbortController();
    const form = new FormData();
    form.append("_rev", item._rev);
    form.append("file", file);
    try {
      const { item: replaced } = await upload<{ item: MediaItem }>(`/media/${item.id}/replace`, new URLSearchParams(), form, { method: "PUT", onProgress: setShare, signal: stop.current.signal });
      queries.setQueryData(mediaItem(item.id).queryKey, { ...replaced, usage: replaced.usage ?? item.usage ?? null });
      await mediaChanged(queries);
      toast.good(<Trans>The file was replaced.</Trans>);
      onClose();
    } catch (error) {
      setShare(undefined);
      if (stop.current.signal.aborted) return;
      if (isCode(error, "CONFLICT")) await queries.invalidateQueries(mediaItem(item.id));
      setProblem(
        isCode(error, "INVALID_TYPE")
          ? isPicture
            ? t`A picture is replaced by a picture of a type that is taken here.`
            : t`Files of this type are not taken here.`
          : isCode(error, "INVALID_IMAGE")
            ? t`This picture cannot be read, or is too large.`
            : isCode(error, "PAYLOAD_TOO_LARGE")
              ? t`This file is larger than this site takes.`
              : isCode(error, "CONFLICT")
                ? t`Another item has this very file, or somebody changed this one meanwhile. Use the other one, or try again.`
                : messageOf(error),
      );
    }
  }

  const isSending = share !== undefined;
  return (
    <Dialog open onOpenChange={onClose} locked={isSending} title={<Trans>Replace the file</Trans>} description={<Trans>Whatever shows it shows the new file. Its texts, tags and folder stay.</Trans>}>
      <div className="grid gap-4">
        <FileChoice file={file} onChange={setFile} accept={isPicture ? "image/*" : ""} hint={isPicture ? <Trans>A picture</Trans> : <Trans>A file of any type that is taken here</Trans>} disabled={isSending} />
        {isSending && <progress aria-label={t`Replacing the file`} className={BAR} max={1} value={share} />}
        {problem && <Notice tone="bad">{problem}</Notice>}
      </div>
      <DialogActions>
        <Button onClick={() => (isSending ? stop.current?.abort() : onClose())}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="primary" disabled={!file} pending={isSending} onClick={() => file && void go(file)}>
          <Trans>Replace</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function DeleteFile({ item, onClose, onDeleted }: { item: MediaItem; onClose: () => void; onDeleted: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const may = useMay();
  const [isShown, setShown] = useState(false);
  const { id, filename, usage } = item;
  const count = usage?.count;
  const isComplete = usage?.coverage.status === "complete";
  // What is known to be unused is deleted only as long as that is so.
  const ifUnused = isComplete && count === 0;
  return (
    <ConfirmDialog
      open
      danger
      onOpenChange={onClose}
      title={<Trans>Delete “{filename}”?</Trans>}
      description={<Trans>It is deleted for good. Whatever shows it shows nothing from then on.</Trans>}
      confirm={<Trans>Delete for good</Trans>}
      explain={(error) => (isCode(error, "MEDIA_IN_USE") ? t`It has come into use meanwhile. Close this, and look where it is used.` : undefined)}
      onConfirm={async () => {
        await remove(id, ifUnused);
        onDeleted();
        queries.removeQueries(mediaItem(id));
        void mediaChanged(queries);
        toast.good(<Trans>The file was deleted.</Trans>);
      }}
    >
      {may.seeUsage && (
        <div className="mb-4 grid gap-3">
          {typeof count === "number" && count > 0 ? (
            <Notice
              tone="warn"
              title={<Plural value={count} one="It is used in # entry" other="It is used in # entries" />}
              action={
                !isShown && (
                  <Button size="sm" onClick={() => setShown(true)}>
                    <Trans>Show where</Trans>
                  </Button>
                )
              }
            >
              {isShown && (
                <div className="max-h-48 overflow-y-auto" tabIndex={0}>
                  <Usage id={id} />
                </div>
              )}
            </Notice>
          ) : (
            !isComplete && (
              <>
                <Uncounted />
                {isShown ? (
                  <div className="max-h-48 overflow-y-auto" tabIndex={0}>
                    <Usage id={id} />
                  </div>
                ) : (
                  <span>
                    <Button size="sm" onClick={() => setShown(true)}>
                      <Trans>Show where it is known to be used</Trans>
                    </Button>
                  </span>
                )}
              </>
            )
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}
