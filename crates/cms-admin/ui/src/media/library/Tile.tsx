// One file as a tile: its picture, its name, and what is missing.

import { useLingui } from "@lingui/react/macro";
import { TriangleAlert } from "lucide-react";
import { useRef, type KeyboardEvent, type MouseEvent } from "react";

import type { MediaItem } from "~/api/types";
import { useDraggable } from "~/components/sortable/dragging";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { ActiveRow, RowLink } from "~/table/RowLink";

import { kindOf } from "../question";
import type { Dragged } from "./dragged";
import { Thumb } from "./Thumb";

/** How wide a picture is asked for: enough for the widest tile on a fine screen. */
const PICTURE = 384;

interface TileProps {
  item: MediaItem;
  index: number;
  isActive: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Something is selected: boxes stay in sight. */
  isSelecting: boolean;
  /** What is dragged along with it. */
  dragged: readonly MediaItem[] | undefined;
  selectLabel: string;
  /** Undefined where it cannot be selected. */
  onSelect: ((index: number, isRange: boolean) => void) | undefined;
}

export function Tile({ item, index, isActive, isOpen, isSelected, isSelecting, dragged, selectLabel, onSelect }: TileProps) {
  const { t } = useLingui();
  const { bytes } = useFormat();
  const tile = useRef<HTMLDivElement>(null);
  const isDragged = useDraggable<Dragged>(tile, onSelect && { media: dragged ?? [item] });
  const isMissing = lacksAlt(item);
  const press = (event: MouseEvent | KeyboardEvent) => onSelect?.(index, event.shiftKey);
  // With Shift or a command key a click selects, as in the windows of a desktop.
  const click = (event: MouseEvent) => {
    if (!onSelect || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSelect(index, event.shiftKey);
  };
  return (
    <ActiveRow value={isActive}>
      <div
        ref={tile}
        role="gridcell"
        aria-selected={onSelect ? isSelected : undefined}
        data-row={index}
        data-selected={isSelected || undefined}
        className={cx(
          "group relative flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface hover:border-line-strong data-selected:border-accent data-selected:bg-accent-soft",
          isOpen && "border-accent ring-1 ring-accent",
          isDragged && "opacity-60",
        )}
      >
        <Thumb item={item} width={PICTURE} className="min-h-0 w-full grow" />
        <div className="grid h-13 shrink-0 content-center px-2.5">
          <RowLink from="/media" to="/media/$id" params={{ id: item.id }} search={(search) => search} draggable={false} resetScroll={false} onClick={click} title={item.filename} className="truncate text-sm">
            <bdi>{item.filename}</bdi>
          </RowLink>
          <span className="flex items-center gap-1 truncate text-xs text-muted">
            {isMissing ? (
              <span className="inline-flex min-w-0 items-center gap-1 text-warn">
                <TriangleAlert aria-hidden className="size-3 shrink-0" />
                <span className="truncate">{t`No alt text`}</span>
              </span>
            ) : (
              bytes(item.size)
            )}
          </span>
        </div>
        {onSelect && (
          <label
            className={cx(
              "absolute start-0 top-0 z-10 grid size-10 cursor-pointer place-items-center select-none pointer-coarse:size-11",
              !isSelected && !isSelecting && "pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-within:opacity-100",
            )}
          >
            <input type="checkbox" data-control="select" aria-label={selectLabel} tabIndex={isActive ? 0 : -1} checked={isSelected} onClick={press} onChange={() => undefined} className="size-5" />
          </label>
        )}
      </div>
    </ActiveRow>
  );
}

/** Whether a picture says nothing to whoever does not see it. */
export function lacksAlt({ mimeType, alt }: Pick<MediaItem, "mimeType" | "alt">): boolean {
  return kindOf(mimeType) === "image" && (alt ?? "").trim() === "";
}
