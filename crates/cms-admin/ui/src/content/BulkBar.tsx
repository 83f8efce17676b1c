// What is selected in a list of entries, and what can be done with all of it.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { CalendarClock, CheckCheck, Ellipsis, EyeOff, Send, Trash2, UserPen, X } from "lucide-react";
import type { ReactNode } from "react";

import type { Entry } from "~/api/types";
import { Button, IconButton } from "~/components/Button";
import { Menu, MenuItem } from "~/components/Menu";
import { useIsNarrow } from "~/lib/useMedia";
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

interface Offer {
  kind: BulkKind;
  label: string;
  icon: ReactNode;
}

export function BulkBar({ selecting, total, canSchedule, onChoose }: BulkBarProps) {
  const { t } = useLingui();
  const may = useMay();
  const isNarrow = useIsNarrow();
  const { selection, count, isEmpty } = selecting;
  if (isEmpty) return null;
  const hasMore = selection.kind === "these" && total !== undefined && count !== undefined && total > count;
  const everything = hasMore && <Plural value={total} one="Select the only match" other="Select all # that match" />;
  const offers: Offer[] = [
    ...(may.publishSome
      ? [
          { kind: "publish" as const, label: t`Publish`, icon: <Send /> },
          { kind: "unpublish" as const, label: t`Unpublish`, icon: <EyeOff /> },
          ...(canSchedule ? [{ kind: "schedule" as const, label: t`Schedule…`, icon: <CalendarClock /> }] : []),
        ]
      : []),
    ...(may.changeAuthor ? [{ kind: "author" as const, label: t`Change author…`, icon: <UserPen /> }] : []),
    ...(may.trashSome ? [{ kind: "trash" as const, label: t`Move to trash…`, icon: <Trash2 /> }] : []),
  ];
  // On a phone the bar is one row, so that the list stays in sight: the first of them, and a menu.
  const inSight = isNarrow ? offers.slice(0, 1) : offers;
  const inMenu = offers.slice(inSight.length);
  return (
    <div
      role="region"
      aria-label={t`Selection`}
      className="sticky bottom-3 z-20 mx-3 mb-3 flex items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-2.5 shadow-high max-sm:py-1.5 max-sm:pe-1.5 sm:flex-wrap"
    >
      <p role="status" className="font-medium">
        {count === undefined ? <Trans>All that match are selected</Trans> : <Plural value={count} one="# selected" other="# selected" />}
      </p>
      {hasMore && !isNarrow && (
        <Button size="sm" variant="ghost" onClick={() => selecting.all(total)}>
          {everything}
        </Button>
      )}
      <div className="ms-auto flex gap-1.5 sm:flex-wrap">
        {inSight.map(({ kind, label, icon }) => (
          <Button key={kind} size="sm" icon={icon} onClick={() => onChoose(kind)}>
            {label}
          </Button>
        ))}
        {(inMenu.length > 0 || (hasMore && isNarrow)) && (
          <Menu trigger={<IconButton size="sm" label={t`More`} icon={<Ellipsis />} />}>
            {hasMore && isNarrow && (
              <MenuItem icon={<CheckCheck />} onSelect={() => selecting.all(total)}>
                {everything}
              </MenuItem>
            )}
            {inMenu.map(({ kind, label, icon }) => (
              <MenuItem key={kind} icon={icon} danger={kind === "trash"} onSelect={() => onChoose(kind)}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        )}
        <IconButton size="sm" label={t`Clear the selection`} icon={<X />} onClick={selecting.clear} />
      </div>
    </div>
  );
}
