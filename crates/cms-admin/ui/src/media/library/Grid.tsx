// The library as tiles: of any length, since only the lines on the screen are drawn.

import { Plural, useLingui } from "@lingui/react/macro";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

import type { MediaItem } from "~/api/types";
import { Skeleton } from "~/components/states";
import { direction } from "~/lib/language";
import { Foot } from "~/table/EndlessTable";
import { controlOf, useRowKeys } from "~/table/keyboard";
import type { Selecting } from "~/table/selection";
import type { Keyset } from "~/table/useKeyset";
import { usePlace } from "~/table/usePlace";

import { gridStep } from "./gridStep";
import { Tile } from "./Tile";

/** The least width of a tile and the space between two, in pixels; and how much of its height is not its picture. */
const LEAST = 156;
const GAP = 12;
const WORDS = 52;
/** Lines beyond the edges of the screen that are drawn. */
const OVERSCAN = 3;
/** How much of the window the header covers, and what floats at its end, in pixels. */
const COVERED = { start: 70, end: 90 };

interface GridProps {
  label: string;
  list: Keyset<MediaItem>;
  selecting: Selecting<MediaItem> | undefined;
  maySelect: (item: MediaItem) => boolean;
  /** The item that is open. */
  open: string | undefined;
}

export function Grid({ label, list, selecting, maySelect, open }: GridProps) {
  const { i18n, t } = useLingui();
  const body = useRef<HTMLDivElement>(null);
  const width = useWidth(body);
  const margin = usePlace(body);
  const columns = Math.max(Math.floor((width + GAP) / (LEAST + GAP)), 2);
  const height = Math.round((width - GAP * (columns - 1)) / columns) + WORDS + GAP;
  const [active, setActive] = useState(0);
  const focused = useRef<{ index: number; control: string }>(undefined);
  const { count, see } = list;
  const lines = Math.ceil(count / columns);

  const virtual = useWindowVirtualizer({
    count: lines,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: margin,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollPaddingStart: COVERED.start,
    scrollPaddingEnd: COVERED.end,
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const drawn = virtual.getVirtualItems();
  const [first, last] = [(drawn[0]?.index ?? 0) * columns, ((drawn.at(-1)?.index ?? 0) + 1) * columns - 1];
  useEffect(() => see(first, last), [see, first, last, count]);

  const settle = useCallback(() => {
    const { index, control = "" } = focused.current ?? {};
    const target = index === undefined ? undefined : controlOf(body.current, index, control);
    if (!target) return;
    focused.current = undefined;
    target.focus({ preventScroll: true });
  }, []);
  const focus = useCallback(
    (index: number, control: string) => {
      focused.current = { index, control };
      setActive(index);
      virtual.scrollToIndex(Math.floor(index / columns), { align: "auto" });
      settle();
    },
    [virtual, columns, settle],
  );
  useLayoutEffect(settle);

  const add = (items: MediaItem[]) => selecting?.add(items.filter(maySelect));
  const select = (index: number, isRange: boolean) => {
    const item = list.at(index);
    if (!selecting || !item || (!isRange && !maySelect(item))) return;
    const anchor = selecting.anchor() ?? active;
    if (!isRange) selecting.toggle(item, index);
    else void list.between(Math.min(anchor, index), Math.max(anchor, index)).then(add);
  };
  const isRightToLeft = direction(i18n.locale) === "rtl";
  const keys = useRowKeys({
    count,
    focus,
    onActive: setActive,
    onSelect: selecting && select,
    onSelectAll: selecting && (() => add(list.loaded())),
    onEscape: () => {
      if (!selecting || selecting.isEmpty) return false;
      selecting.clear();
      return true;
    },
    step: (key, from, count) => gridStep(key, from, count, columns, isRightToLeft),
  });
  const current = Math.min(active, Math.max(count - 1, 0));
  const selected = selecting?.selection.kind === "these" ? [...selecting.selection.rows.values()] : [];

  return (
    <>
      <div className="px-5 max-sm:px-4">
        <div ref={body} role="grid" aria-label={label} aria-rowcount={list.hasMore ? -1 : lines} aria-colcount={columns} {...keys} style={{ height: virtual.getTotalSize() }} className="relative">
          {width > 0 &&
            drawn.map(({ index: line, start }) => (
              <div
                key={line}
                role="row"
                aria-rowindex={line + 1}
                style={{ transform: `translateY(${start - margin}px)`, height: height - GAP, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, columnGap: GAP }}
                className="absolute inset-x-0 top-0 grid"
              >
                {Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) => {
                  const index = line * columns + column;
                  const item = list.at(index);
                  if (!item) return <div key={index} role="gridcell" aria-busy className="grid"><Skeleton className="size-full rounded-lg" /></div>;
                  return (
                    <Tile
                      key={index}
                      item={item}
                      index={index}
                      isActive={index === current}
                      isOpen={item.id === open}
                      isSelected={selecting?.has(item.id) === true}
                      isSelecting={selecting !== undefined && !selecting.isEmpty}
                      dragged={selecting?.has(item.id) ? selected : undefined}
                      selectLabel={t`Select ${item.filename}`}
                      onSelect={selecting && maySelect(item) ? select : undefined}
                    />
                  );
                })}
              </div>
            ))}
        </div>
      </div>
      <Foot list={list} count={count} onMore={list.more} countText={(count, isAll) => <CountText count={count} isAll={isAll} />} />
    </>
  );
}

/** How many files there are, or are loaded. */
export function CountText({ count, isAll }: { count: number; isAll: boolean }) {
  return isAll ? <Plural value={count} one="# file" other="# files" /> : <Plural value={count} one="# file loaded" other="# files loaded" />;
}

/** How wide an element is, in pixels; zero until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const measured = element.current;
    const measure = () => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
