// What is selected in a list of entries, and what can be done with all of it.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock, EyeOff, Send, Trash2, UserPen, X } from "lucide-react";

import type { Entry } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import type { Selecting } from "~/table/selection";

import { useMay } from "./may";

export type BulkKind = "publish" | "unpublish" | "schedule" | "trash" | "author";

interface BulkBarProps {
  selecting: Selecting<Entry>;
  /** How many match in all, where it is known. */
  total: number | undefined;
  canSchedule: boolean;
  onChoose: (kind: BulkKind) => void;
}

export function BulkBar({ selecting, total, canSchedule, onChoose }: BulkBarProps) {
  const { t } = useLingui();
  const may = useMay();
  const { selection, count, isEmpty } = selecting;
  if (isEmpty) return null;
  const hasMore = selection.kind === "these" && total !== undefined && count !== undefined && total > count;
  return (
    <div
      role="region"
      aria-label={t`Selection`}
      className="sticky bottom-3 z-20 mx-3 mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-2.5 shadow-high"
    >
      <p role="status" className="font-medium">
        {count === undefined ? <Trans>All that match are selected</Trans> : <Plural value={count} one="# selected" other="# selected" />}
      </p>
      {hasMore && (
        <Button size="sm" variant="ghost" onClick={() => selecting.all(total)}>
          <Plural value={total} one="Select the only match" other="Select all # that match" />
        </Button>
      )}
      <div className="ms-auto flex flex-wrap gap-1.5">
        {may.publishSome && (
          <>
            <Button size="sm" icon={<Send />} onClick={() => onChoose("publish")}>
              <Trans>Publish</Trans>
            </Button>
            <Button size="sm" icon={<EyeOff />} onClick={() => onChoose("unpublish")}>
              <Trans>Unpublish</Trans>
            </Button>
            {canSchedule && (
              <Button size="sm" icon={<CalendarClock />} onClick={() => onChoose("schedule")}>
                <Trans>Schedule…</Trans>
              </Button>
            )}
          </>
        )}
        {may.changeAuthor && (
          <Button size="sm" icon={<UserPen />} onClick={() => onChoose("author")}>
            <Trans>Change author…</Trans>
          </Button>
        )}
        {may.trashSome && (
          <Button size="sm" icon={<Trash2 />} onClick={() => onChoose("trash")}>
            <Trans>Move to trash…</Trans>
          </Button>
        )}
        <IconButton size="sm" label={t`Clear the selection`} icon={<X />} onClick={selecting.clear} />
      </div>
    </div>
  );
}
