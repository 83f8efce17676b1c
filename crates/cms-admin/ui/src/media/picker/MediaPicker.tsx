// A choice from the library, in a dialog: pages come as they are looked at, and only what can be seen is in the page.

import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, FileText, Upload } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from "react";

import { answer, api } from "~/api/client";
import type { MediaItem } from "~/api/types";
import { Button } from "~/components/Button";
import { Dialog, DialogActions } from "~/components/Dialog";
import { TextField } from "~/components/Field";
import { SearchField } from "~/components/SearchField";
import { ErrorState, Skeleton } from "~/components/states";
import { UploadQueue } from "~/components/upload/UploadQueue";
import { cx } from "~/lib/cx";

import { accepted, allows, typesAsked } from "./allowed";
import { useDropGuard, useFileDrop } from "./files";
import { useMediaRights } from "./rights";
import { step } from "./step";
import { useUploads } from "./useUploads";
import { isPicture, smaller, type Chosen } from "./value";

/** The narrowest that a picture is shown, and how high its row is, in pixels. */
const NARROWEST = 136;
const ROW = 164;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 3;
const PAGE = 60;

interface MediaPickerProps {
  /** The types that can be chosen. */
  allowed: readonly string[];
  fieldId?: string | undefined;
  onChoose: (chosen: Chosen) => void;
  onClose: () => void;
}

export default function MediaPicker({ allowed, fieldId, onChoose, onClose }: MediaPickerProps) {
  const { t } = useLingui();
  const rights = useMediaRights();
  const [q, search] = useState<string>();
  const [item, choose] = useState<MediaItem>();
  const [alt, setAlt] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useDropGuard();
  const query = useInfiniteQuery({
    queryKey: ["media", "picker", allowed, q ?? ""],
    queryFn: ({ pageParam, signal }) => {
      const mimeType = typesAsked(allowed);
      return answer(api.GET("/media", { params: { query: { limit: PAGE, ...(mimeType ? { mimeType } : {}), ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) } }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
  });
  const select = (item: MediaItem) => {
    choose(item);
    setAlt(item.alt ?? "");
  };
  const { uploads, add, cancel, retry, clear } = useUploads({
    allowed,
    fieldId,
    onDone: (item) => {
      select(item);
      void query.refetch();
    },
  });
  const { place, isOver } = useFileDrop(rights.upload ? add : undefined);
  const items = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const use = (item: MediaItem, alt: string) => onChoose({ item, alt: alt.trim() });
  return (
    <Dialog open onOpenChange={onClose} size="xl" title={<Trans>Choose from the library</Trans>}>
      <div {...place} className={cx("grid gap-4 rounded-md", isOver && "outline-2 outline-offset-4 outline-accent")}>
        <div className="flex flex-wrap items-center gap-2">
          <span className="min-w-48 grow">
            <SearchField label={t`Search the library`} value={q} onChange={search} />
          </span>
          {rights.upload && (
            <>
              <input ref={input} type="file" multiple hidden accept={accepted(allowed)} onChange={({ target }) => (add(Array.from(target.files ?? [])), (target.value = ""))} />
              <Button icon={<Upload />} onClick={() => input.current?.click()}>
                <Trans>Upload</Trans>
              </Button>
            </>
          )}
        </div>
        {uploads.length > 0 && <UploadQueue uploads={uploads} onCancel={cancel} onRetry={retry} onClear={clear} />}
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending ? (
          <Skeleton className="h-64 w-full" />
        ) : items.length === 0 ? (
          <p className="py-10 text-center text-muted">{q ? <Trans>Nothing in the library has this name.</Trans> : <Trans>There is nothing here yet that can be chosen.</Trans>}</p>
        ) : (
          <Grid
            items={items}
            chosen={item?.id}
            allowed={allowed}
            onChoose={select}
            onUse={(one) => use(one, one.id === item?.id ? alt : (one.alt ?? ""))}
            onEnd={() => query.hasNextPage && !query.isFetchingNextPage && void query.fetchNextPage()}
          />
        )}
        {item && isPicture(item) && (
          <TextField label={t`Alternative text of ${item.filename}`} hint={t`Says what the image shows to those who cannot see it.`} optional maxLength={2000} value={alt} onChange={(event) => setAlt(event.target.value)} />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="primary" disabled={!item} onClick={() => item && use(item, alt)}>
          <Trans>Use this file</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface GridProps {
  items: MediaItem[];
  chosen: string | undefined;
  allowed: readonly string[];
  onChoose: (item: MediaItem) => void;
  onUse: (item: MediaItem) => void;
  onEnd: () => void;
}

function Grid({ items, chosen, allowed, onChoose, onUse, onEnd }: GridProps) {
  const { t } = useLingui();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(4);
  const [active, point] = useState(-1);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setColumns(Math.max(2, Math.floor(element.clientWidth / NARROWEST))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const rows = Math.ceil(items.length / columns);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is handed to what is memoized
  const virtual = useVirtualizer({ count: rows, getScrollElement: () => frame.current, estimateSize: () => ROW, overscan: 2 });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (last >= rows - AHEAD) end();
  }, [last, rows]);

  const take = (index: number) => {
    const item = items[index];
    if (item && allows(allowed, item.mimeType)) onChoose(item);
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const item = items[active];
    if (event.key === "Enter" && item && item.id === chosen) onUse(item);
    else if (event.key === "Enter" || event.key === " ") take(active);
    else {
      const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW));
      const to = step(event.key, active, { count: items.length, columns, isRtl: getComputedStyle(event.currentTarget).direction === "rtl", page });
      if (to === undefined) return;
      point(to);
      virtual.scrollToIndex(Math.floor(to / columns));
    }
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      role="listbox"
      tabIndex={0}
      aria-label={t`Files of the library`}
      aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
      onKeyDown={press}
      onFocus={() => active < 0 && point(Math.max(0, items.findIndex((item) => item.id === chosen)))}
      className="h-[42dvh] overflow-y-auto overscroll-contain rounded-md border border-line bg-sunken p-1"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index: row, start }) => (
          <div key={row} role="presentation" className="absolute inset-x-0 top-0 grid" style={{ height: ROW, transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {items.slice(row * columns, (row + 1) * columns).map((item, n) => {
              const index = row * columns + n;
              const isChosen = item.id === chosen;
              return (
                <div
                  key={item.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={isChosen}
                  aria-disabled={!allows(allowed, item.mimeType) || undefined}
                  aria-label={item.alt ? `${item.filename}: ${item.alt}` : item.filename}
                  onClick={() => {
                    point(index);
                    take(index);
                  }}
                  onDoubleClick={() => allows(allowed, item.mimeType) && onUse(item)}
                  className={cx("relative m-1 grid cursor-pointer content-start gap-1 rounded-md border bg-surface p-1.5", isChosen ? "border-accent outline-2 outline-accent" : "border-line", index === active && "in-focus-visible:outline-2 in-focus-visible:outline-offset-2 in-focus-visible:outline-focus", !allows(allowed, item.mimeType) && "cursor-not-allowed opacity-50")}
                >
                  <span className="grid h-28 place-items-center overflow-hidden rounded-sm bg-sunken">
                    {isPicture(item) ? <img src={item.srcset ? smaller(item.url, 240) : item.url} alt="" loading="lazy" draggable={false} className="max-h-28 max-w-full object-contain" /> : <FileText aria-hidden className="size-8 text-muted" />}
                  </span>
                  <span className="truncate text-xs" dir="auto">
                    {item.filename}
                  </span>
                  {isChosen && <Check aria-hidden className="absolute end-2 top-2 size-5 rounded-full bg-accent p-0.5 text-on-accent" />}
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
