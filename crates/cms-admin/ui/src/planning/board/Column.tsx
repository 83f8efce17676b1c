// A column of the board: entries that stand alike, those that changed last on top, as many as there are.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { answer, api } from "~/api/client";
import type { AnyEntry } from "~/api/types";
import type { Tone } from "~/components/Badge";
import { Button } from "~/components/Button";
import { EmptyState, SkeletonRows } from "~/components/states";
import { cx } from "~/lib/cx";
import { useFormat } from "~/lib/format";
import { FilterProblem } from "~/table/filters/FilterProblem";
import { controlOf, useRowKeys } from "~/table/keyboard";
import { ActiveRow } from "~/table/RowLink";
import { State } from "~/table/State";
import { useKeyset, type Keyset } from "~/table/useKeyset";

import { useDropPlace } from "~/components/sortable/dragging";
import { columnKey } from "../keep";
import { moveTo, type Column as Name } from "../offers";
import { usePlanner } from "../planner";
import type { BoardQuestion } from "../question";
import { BoardCard, type Dragged } from "./BoardCard";

/** As many as a column shows without much scrolling: it has the rest when it is wanted. */
const PAGE = 50;
/** How high a card is, and how far it is from the next, in pixels, until it is measured. */
const CARD = { height: 86, gap: 8 };

export function useColumnWords(): Record<Name, { label: string; tone: Tone; empty: ReactNode }> {
  const { t } = useLingui();
  return {
    draft: { label: t`Draft`, tone: "neutral", empty: <Trans>What is written and not public is here.</Trans> },
    scheduled: { label: t`Scheduled`, tone: "accent", empty: <Trans>Choose “Schedule…” in the menu of a draft, or drag it here.</Trans> },
    published: { label: t`Published`, tone: "good", empty: <Trans>Choose “Publish” in the menu of a draft, or drag it here.</Trans> },
  };
}

interface ColumnProps {
  name: Name;
  question: BoardQuestion;
  /** Is told the collections of what there is. */
  onSeen: (types: readonly string[]) => void;
  /** Takes the filters away, where there are some. */
  onClear: (() => void) | undefined;
}

export function Column({ name, question, onSeen, onClear }: ColumnProps) {
  const { label, tone, empty } = useColumnWords()[name];
  const { offers, choose } = usePlanner();
  const frame = useRef<HTMLElement>(null);
  const list = useKeyset<AnyEntry>({
    key: columnKey(question, name),
    page: (cursor, signal) => answer(api.GET("/content", { params: { query: { ...question, status: name, limit: PAGE, ...(cursor ? { cursor } : {}) } }, signal })),
  });
  const over = useDropPlace<Dragged>(frame, {
    takes: ({ entry }) => moveTo(name, entry, offers(entry)) !== undefined,
    onDrop: ({ entry }) => {
      const offer = moveTo(name, entry, offers(entry));
      if (offer) choose(entry, offer);
    },
  });
  const types = [...new Set(list.loaded().map(({ type }) => type))].join(",");
  const see = useEffectEvent(onSeen);
  useEffect(() => {
    if (types !== "") see(types.split(","));
  }, [types]);
  const id = `column-${name}`;
  return (
    <section
      ref={frame}
      aria-labelledby={id}
      data-column={name}
      className={cx("flex h-[calc(100dvh-15rem)] min-h-96 min-w-0 flex-col overflow-clip rounded-lg border border-line bg-sunken", over && "border-accent bg-accent-soft/50")}
    >
      <header className="flex items-center justify-between gap-2 border-b border-line px-3.5 py-2.5 max-sm:hidden">
        <h2 id={id} className="font-semibold">
          <State tone={tone}>{label}</State>
        </h2>
        <Count list={list} />
      </header>
      {list.isPending ? (
        <SkeletonRows />
      ) : list.count === 0 && list.error ? (
        <FilterProblem error={list.error} onRetry={list.retry} onClear={() => onClear?.()} />
      ) : list.count === 0 ? (
        onClear ? (
          <EmptyState
            title={<Trans>Nothing matches</Trans>}
            action={
              <Button onClick={onClear}>
                <Trans>Clear filters</Trans>
              </Button>
            }
          />
        ) : (
          <EmptyState title={<Trans>Nothing here</Trans>}>{empty}</EmptyState>
        )
      ) : (
        <Cards label={label} list={list} onClear={() => onClear?.()} />
      )}
    </section>
  );
}

/** How many there are, as far as that is known. */
function Count({ list }: { list: Keyset<AnyEntry> }) {
  const { number } = useFormat();
  const entries = list.count;
  const count = number(entries);
  if (list.isPending || (list.count === 0 && list.error)) return null;
  return (
    <span className="text-sm text-muted tabular-nums">
      {list.hasMore ? (
        <>
          <span aria-hidden>{count}+</span>
          <span className="sr-only">
            <Trans>more than {count}</Trans>
          </span>
        </>
      ) : (
        <>
          <span aria-hidden>{count}</span>
          <span className="sr-only">
            <Plural value={entries} one="# entry" other="# entries" />
          </span>
        </>
      )}
    </span>
  );
}

function Cards({ label, list, onClear }: { label: string; list: Keyset<AnyEntry>; onClear: () => void }) {
  const { count, see, more } = list;
  const { followed } = usePlanner();
  const scroller = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const focused = useRef<{ index: number; control: string }>(undefined);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is handed to what is memoized
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD.height,
    gap: CARD.gap,
    paddingStart: CARD.gap,
    paddingEnd: CARD.gap,
    scrollPaddingStart: CARD.gap,
    scrollPaddingEnd: CARD.gap,
    overscan: 6,
    // Drawn at once, and not only when the page was looked at.
    initialRect: { width: 300, height: window.innerHeight },
    getItemKey: (index) => list.at(index)?.id ?? index,
  });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => see(first, last), [see, first, last, count]);

  // What was moved here is on top: whoever moved it goes on from there.
  const isFollowed = followed !== undefined && followed === list.at(0)?.id;
  const showTop = useEffectEvent(() => virtual.scrollToOffset(0));
  useLayoutEffect(() => {
    if (isFollowed) showTop();
  }, [isFollowed]);

  const settle = useCallback(() => {
    const { index, control = "" } = focused.current ?? {};
    const target = index === undefined ? undefined : controlOf(cards.current, index, control);
    if (!target) return;
    focused.current = undefined;
    target.focus({ preventScroll: true });
  }, []);
  const focus = (index: number, control: string) => {
    focused.current = { index, control };
    setActive(index);
    virtual.scrollToIndex(index, { align: "auto" });
    settle();
  };
  // The card may be drawn only after the column has scrolled to it.
  useLayoutEffect(settle);
  const keys = useRowKeys({ count, focus, onActive: setActive });
  // A card that went away leaves its place to the next.
  const current = Math.min(active, count - 1);
  return (
    <div ref={scroller} className="relative min-h-0 grow overflow-y-auto overscroll-contain">
      <ul ref={cards} aria-label={label} {...keys} style={{ height: virtual.getTotalSize() }} className="relative">
        {shown.map(({ index, start, key }) => {
          const entry = list.at(index);
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-row={index}
              {...(entry && { "data-entry": entry.id })}
              aria-posinset={index + 1}
              aria-setsize={list.hasMore ? -1 : count}
              style={{ transform: `translateY(${start}px)` }}
              className="absolute inset-x-2 top-0"
            >
              <ActiveRow value={index === current}>{entry ? <BoardCard entry={entry} /> : <div aria-hidden className="h-20 animate-shimmer rounded-md bg-active" />}</ActiveRow>
            </li>
          );
        })}
      </ul>
      {list.error ? (
        <FilterProblem error={list.error} onRetry={list.retry} onClear={onClear} />
      ) : (
        list.hasMore && (
          <div className="flex justify-center pb-3">
            <Button size="sm" pending={list.isMoreComing} onClick={more}>
              <Trans>Load more</Trans>
            </Button>
          </div>
        )
      )}
    </div>
  );
}
