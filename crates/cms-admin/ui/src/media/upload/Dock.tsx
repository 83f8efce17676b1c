// What is on its way into the library, at the edge of every screen.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, Upload as UploadIcon, X } from "lucide-react";
import { useEffect, useState } from "react";

import { isCode, messageOf } from "~/api/errors";
import { Button, IconButton } from "~/components/Button";
import { UploadQueue, type Upload } from "~/components/upload/UploadQueue";
import { addTexts } from "~/lib/language";
import { dock } from "~/shell/dock";

import { MEDIA_KEY } from "../queries";
import { uploads, useUploads } from "./store";
import { isFinal, type Uploading } from "./uploads";

/** How long after a file is there the lists are asked for anew, in milliseconds: many come close together. */
const SOON = 400;

export function Dock() {
  const list = useUploads();
  const isThere = useTexts();
  const [isFolded, setFolded] = useState(false);
  useRenewed(list.filter(({ state }) => state === "done").length);
  useStaysOpen(list.some(({ state }) => state === "waiting" || state === "sending"));
  useEffect(() => {
    if (list.length === 0) dock(false);
  }, [list.length]);
  if (!isThere || list.length === 0) return null;
  return <Docked list={list} isFolded={isFolded} onFold={setFolded} />;
}

function Docked({ list, isFolded, onFold }: { list: readonly Uploading[]; isFolded: boolean; onFold: (isFolded: boolean) => void }) {
  const { t } = useLingui();
  const toShown = useShown();
  const left = list.filter(({ state }) => state !== "done" && state !== "failed").length;
  const finish = () => {
    uploads.cancelAll();
    dock(false);
  };
  return (
    <div className="fixed end-3 bottom-3 z-40 w-[min(26rem,calc(100vw-1.5rem))] pb-[env(safe-area-inset-bottom)]">
      {isFolded ? (
        <div className="flex justify-end">
          <Button icon={<UploadIcon />} className="shadow-high" onClick={() => onFold(false)}>
            {left > 0 ? <Plural value={left} one="# file on its way" other="# files on their way" /> : <Trans>Uploads</Trans>}
          </Button>
        </div>
      ) : (
        <div className="grid gap-1 rounded-lg bg-raised shadow-high">
          <div className="flex justify-end gap-0.5 rounded-t-lg border-x border-t border-line px-1.5 pt-1">
            <IconButton size="sm" label={t`Make the uploads small`} icon={<ChevronDown />} onClick={() => onFold(true)} />
            {left === 0 && <IconButton size="sm" label={t`Close the uploads`} icon={<X />} onClick={finish} />}
          </div>
          <UploadQueue
            uploads={list.map(toShown)}
            onPause={(id) => uploads.pause(id)}
            onResume={(id) => uploads.resume(id)}
            onRetry={(id) => uploads.resume(id)}
            onCancel={(id) => uploads.cancel(id)}
            onClear={() => uploads.clear()}
          />
        </div>
      )}
    </div>
  );
}

/** An upload as the queue shows it. */
function useShown(): (one: Uploading) => Upload {
  const { t } = useLingui();
  return ({ id, file, state, share, isOffline, error, sent }) => ({
    id,
    name: file.name,
    size: file.size,
    state,
    share,
    ...(state === "failed" ? { problem: problemOf(error), isFinal: isFinal(error) } : {}),
    ...(state === "waiting" && isOffline ? { note: t`Waiting for the network` } : {}),
    ...(sent?.isKnown ? { note: t`Was there already` } : {}),
    ...(sent
      ? {
          action: (
            <Link to="/media/$id" params={{ id: sent.id }} search={{}} className="inline-flex min-h-8 items-center rounded-sm px-2 text-sm text-accent-ink hover:underline pointer-coarse:min-h-11">
              <Trans>Show</Trans>
            </Link>
          ),
        }
      : {}),
  });

  function problemOf(error: unknown): string {
    if (isCode(error, "INVALID_TYPE")) return t`Files of this type are not taken here.`;
    if (isCode(error, "INVALID_IMAGE")) return t`This picture cannot be read, or is too large.`;
    if (isCode(error, "PAYLOAD_TOO_LARGE")) return t`This file is larger than this site takes.`;
    if (isCode(error, "NO_STORAGE")) return t`This site has no place for files yet. An administrator can set one up.`;
    if (isCode(error, "UPLOAD_LIMIT")) return t`Too many uploads have been begun. Try again in a while.`;
    if (isCode(error, "VALIDATION_ERROR") && error.issues.some(({ code, path }) => code === "TOO_LARGE" || path === "size")) return t`This file is larger than this site takes, or empty.`;
    return messageOf(error);
  }
}

/** Whether the texts are there: they come with the library, and whoever uploads may never have been there. */
function useTexts(): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    void addTexts("media").then(() => setThere(true));
  }, []);
  return isThere;
}

/** Lists of the library show what has come. */
function useRenewed(done: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (done === 0) return;
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: MEDIA_KEY }), SOON);
    return () => clearTimeout(timer);
  }, [queries, done]);
}

/** The browser asks before it closes a page that sends something. */
function useStaysOpen(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);
}
