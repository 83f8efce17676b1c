// A table over a list of any length: only the rows on the screen are drawn, and pages come before they are needed.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "~/components/Button";
import { ErrorState, Skeleton } from "~/components/states";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { useSteady } from "~/lib/useSteady";

import { tableStyle, useColumns, type Column, type ColumnsOptions } from "./columns";
import { HeadRow } from "./Head";
import { controlOf, useRowKeys } from "./keyboard";
import Row from "./Row";
import type { Selecting } from "./selection";
import type { Keyset } from "./useKeyset";
import { usePlace, useRowHeight } from "./usePlace";
import { useSidewaysHead } from "./useSidewaysHead";

interface EndlessTableProps<Row> extends ColumnsOptions {
  /** What the table lists: read out. */
  label: string;
  columns: Column<Row>[];
  list: Keyset<Row>;
  /** How many rows there are in all, where it is known. */
  total?: number | undefined;
  rowKey: (row: Row) => string;
  /** What a row is called, as in “Moby Dick”. */
  nameOf: (row: Row) => string;
  /** Rows can be selected. */
  selecting?: Selecting<Row> | undefined;
  /** Which rows can be, where not all of them. */
  maySelect?: (row: Row) => boolean;
  /** How many rows are there, in words, where they are no entries. */
  countText?: CountText;
}

/** Says how many are there: all, or as many as are loaded. */
type CountText = (count: number, isAll: boolean) => ReactNode;

/** How many rows beyond the edges of the screen are drawn. */
const OVERSCAN = 12;
/** How much of the window the header and the head of the table cover, and what floats at its end, in pixels. */
const COVERED = { start: 110, end: 90 };

export function EndlessTable<Row extends object>({ label, columns, list, total, rowKey, nameOf, selecting, maySelect = () => true, countText, ...options }: EndlessTableProps<Row>) {
  const { t } = useLingui();
  const heads = useColumns(columns, options);
  const shown = useStable(heads.map(({ column }) => column));
  const { head, body } = useSidewaysHead();
  const height = useRowHeight();
  const margin = usePlace(body);
  const [active, setActive] = useState(0);
  const focused = useRef<{ index: number; control: string }>(undefined);
  const { count, see, more } = list;
  const overscan = useOverscan(count > 0);

  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan,
    scrollMargin: margin,
    // Rows are drawn at once, and not only when the window was looked at, which would be in one go with all else.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollPaddingStart: COVERED.start,
    scrollPaddingEnd: COVERED.end,
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => see(first, last), [see, first, last, count]);

  const settle = useCallback(() => {
    const { index, control = "" } = focused.current ?? {};
    const target = index === undefined ? undefined : controlOf(body.current, index, control);
    if (!target) return;
    focused.current = undefined;
    target.focus({ preventScroll: true });
  }, [body]);
  const focus = useCallback(
    (index: number, control: string) => {
      focused.current = { index, control };
      setActive(index);
      virtual.scrollToIndex(index, { align: "auto" });
      settle();
    },
    [virtual, settle],
  );
  // The row may be drawn only after the window has scrolled to it, and its content come later still.
  useLayoutEffect(settle);

  const add = (rows: Row[]) => selecting?.add(rows.filter(maySelect));
  const select = (index: number, isRange: boolean) => {
    const row = list.at(index);
    if (!selecting || !row || (!isRange && !maySelect(row))) return;
    const anchor = selecting.anchor() ?? active;
    if (!isRange) selecting.toggle(row, index);
    else void list.between(Math.min(anchor, index), Math.max(anchor, index)).then(add);
  };
  const onSelect = useSteady(select);
  const selectLoaded = () => add(list.loaded());
  const keys = useRowKeys({
    count,
    focus,
    onActive: setActive,
    onSelect: selecting && select,
    onSelectAll: selecting && selectLoaded,
    onEscape: () => {
      if (!selecting || selecting.isEmpty) return false;
      selecting.clear();
      return true;
    },
  });
  const isAll = selecting?.selection.kind === "all" && selecting.selection.except.size === 0;
  const all = selecting && { state: isAll ? ("all" as const) : selecting.isEmpty ? ("none" as const) : ("some" as const), toggle: () => (selecting.isEmpty ? selectLoaded() : selecting.clear()) };
  // A row that went away leaves its place to the next.
  const current = Math.min(active, Math.max(count - 1, 0));

  return (
    <div className="overflow-clip last:rounded-b-lg">
      {/* The roles are named since a table whose parts are drawn as blocks is no table to some screen readers. */}
      <table
        role="table"
        aria-label={label}
        aria-rowcount={list.hasMore ? (total === undefined ? -1 : total + 1) : count + 1}
        style={tableStyle(shown, selecting !== undefined)}
        className="block w-full text-start max-sm:[--table-least:0]!"
      >
        <HeadRow ref={head} heads={heads} all={all} />
        <tbody
          ref={body}
          role="rowgroup"
          {...keys}
          style={{ height: virtual.getTotalSize() }}
          className="relative block overflow-x-auto overflow-y-hidden max-sm:border-t max-sm:border-line"
        >
          {items.map(({ index, start }) => {
            const row = list.at(index);
            const place = { top: start - margin, height };
            if (!row) return <Waiting key={index} {...place} columns={shown.length} />;
            const id = rowKey(row);
            const name = nameOf(row);
            return (
              <Row
                key={index}
                row={row}
                columns={shown}
                index={index}
                position={index + 2}
                isActive={index === current}
                isSelected={selecting?.has(id)}
                selectLabel={t`Select ${name}`}
                onSelect={selecting && onSelect}
                maySelect={maySelect(row)}
                isEven
                className="absolute! inset-x-0 top-0"
                {...place}
              />
            );
          })}
        </tbody>
      </table>
      <Foot list={list} count={count} total={total} onMore={more} countText={countText} />
    </div>
  );
}

/** A row that is on its way. */
function Waiting({ top, height, columns }: { top: number; height: number; columns: number }) {
  return (
    <tr aria-hidden style={{ transform: `translateY(${top}px)`, height }} className="absolute inset-x-0 top-0 flex items-center gap-6 border-b border-line px-5">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} className={cx(column === 0 ? "grow" : "w-20 max-sm:hidden")}>
          <Skeleton className={column === 0 ? "h-3.5 w-1/2" : "h-3.5 w-full"} />
        </td>
      ))}
    </tr>
  );
}

/** The end of what is there: how much it is, and a button for whoever does not scroll. */
export function Foot<Row>({ list, count, total, onMore, countText }: { list: Keyset<Row>; count: number; total?: number | undefined; onMore: () => void; countText?: CountText | undefined }) {
  const { number } = useFormat();
  if (list.error) return <ErrorState error={list.error} onRetry={list.retry} />;
  const shown = number(count);
  const isKnown = total !== undefined && total >= count;
  // Whoever has all of it has read above how much it is.
  if (!list.hasMore && isKnown) return null;
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-3 px-5 py-3 text-sm text-muted">
      <span role="status">
        {countText ? (
          countText(count, !list.hasMore)
        ) : !list.hasMore ? (
          <Plural value={count} one="# entry" other="# entries" />
        ) : isKnown ? (
          <Trans>
            {shown} of <Plural value={total} one="# entry" other="# entries" />
          </Trans>
        ) : (
          <Plural value={count} one="# entry loaded" other="# entries loaded" />
        )}
      </span>
      {list.hasMore && (
        <Button size="sm" pending={list.isMoreComing} onClick={onMore}>
          <Trans>Load more</Trans>
        </Button>
      )}
    </div>
  );
}

/** None until the rows on the screen are there. The others are drawn in between whatever else there is to do. */
function useOverscan(hasRows: boolean): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => {
    if (hasRows) startTransition(() => setOverscan(OVERSCAN));
  }, [hasRows]);
  return overscan;
}

/** The same array as long as its members are the same: rows are drawn anew only when their columns change. */
function useStable<Value>(values: Value[]): Value[] {
  const [kept, keep] = useState(values);
  if (kept.length === values.length && kept.every((value, n) => value === values[n])) return kept;
  keep(values);
  return values;
}
