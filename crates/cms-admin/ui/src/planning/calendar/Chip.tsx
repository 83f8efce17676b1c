// Something that happens to an entry, on its day: a line that opens to what there is to know of it and to do with it, and that can be dragged to another day.

import { Trans } from "@lingui/react/macro";
import { SquarePen } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";

import type { CalendarItem } from "~/api/types";
import { Button, ButtonLink } from "~/components/Button";
import { Popover } from "~/components/Popover";
import { entryLink } from "~/content/links";
import { useSiteTime } from "~/content/plan";
import { EntryStatus } from "~/content/status";
import { cx } from "~/lib/cx";

import { Byline } from "../Byline";
import { useDraggable } from "~/components/sortable/dragging";
import { usePlanner } from "../planner";
import { Refusal } from "../Refusal";
import { useOfferWords } from "../useOfferWords";
import { LOOKS, useKindWords, useMoving } from "./happening";
import { useClock } from "./useClock";

interface ChipProps {
  item: CalendarItem;
  /** There is room for more than a line. */
  isLarge: boolean;
}

export function Chip({ item, isLarge }: ChipProps) {
  const { kind, at, entry } = item;
  const { isBusy, refusal, nameOf } = usePlanner();
  const { isMovable } = useMoving();
  const clock = useClock();
  const says = useKindWords()[kind];
  const [isOpen, setOpen] = useState(false);
  const chip = useRef<HTMLDivElement>(null);
  const isDragged = useDraggable(chip, isMovable(item) ? item : undefined);
  const { icon: Icon, chip: look } = LOOKS[kind];
  const busy = isBusy(entry);
  const isRefused = refusal(entry) !== undefined;
  const [time, name] = [clock(at), nameOf(entry)];
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      label={name}
      className="p-4 sm:w-80"
      trigger={
        // Firefox does not let people drag what is a button of its own.
        <div
          ref={chip}
          role="button"
          tabIndex={0}
          data-entry={entry.id}
          data-control="chip"
          aria-busy={busy || undefined}
          onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            setOpen(true);
          }}
          className={cx(
            "flex min-h-6 w-full min-w-0 cursor-pointer gap-1 rounded-sm border px-1.5 text-start text-xs leading-tight select-none hover:border-line-strong pointer-coarse:min-h-9",
            isLarge ? "flex-col py-1" : "items-center",
            look,
            (busy || isDragged) && "opacity-60",
            isRefused && "border-bad text-bad",
          )}
        >
          <span className="flex shrink-0 items-center gap-1 tabular-nums">
            <Icon role="img" aria-label={says} className={cx("size-3 shrink-0", kind === "published" && LOOKS.published.ink)} />
            <span className={cx(!isLarge && (kind === "published" ? "max-2xl:sr-only" : "max-lg:sr-only"))}>{time}</span>
          </span>
          <bdi className={cx("min-w-0", isLarge ? "line-clamp-3 wrap-anywhere" : "truncate")}>{name}</bdi>
          {isRefused && (
            <span className="sr-only">
              <Trans>It did not work.</Trans>
            </span>
          )}
        </div>
      }
    >
      <Details item={item} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function Details({ item: { entry }, onDone }: { item: CalendarItem; onDone: () => void }) {
  const siteTime = useSiteTime();
  const { offers, choose, visit, nameOf } = usePlanner();
  const words = useOfferWords();
  const { scheduledAt, unpublishAt, publishedAt, status } = entry;
  const [begin, end, since] = [scheduledAt, unpublishAt, publishedAt].map((at) => (at === null ? "" : siteTime(at)));
  return (
    <div className="grid gap-2.5">
      <div className="min-w-0">
        <p dir="auto" className="line-clamp-3 text-md font-semibold wrap-anywhere">
          {nameOf(entry)}
        </p>
        <Byline entry={entry} />
      </div>
      <div className="grid gap-0.5 text-sm">
        <EntryStatus entry={entry} />
        {status === "published" && publishedAt !== null && (
          <p>
            <Trans>Publication date: {since}</Trans>
          </p>
        )}
        {scheduledAt !== null && (
          <p>
            <Trans>Will be published on {begin}.</Trans>
          </p>
        )}
        {unpublishAt !== null && (
          <p>
            <Trans>Will be unpublished on {end}.</Trans>
          </p>
        )}
      </div>
      <Refusal entry={entry} />
      <div className="-mx-2 -mb-2 grid">
        <ButtonLink variant="ghost" size="sm" icon={<SquarePen />} {...entryLink(entry.type, entry.id)} onClick={() => visit(entry)} className="justify-start">
          <Trans>Open</Trans>
        </ButtonLink>
        {offers(entry).map((offer) => {
          const { label, icon } = words(entry, offer);
          return (
            <Button
              key={offer}
              variant="ghost"
              size="sm"
              icon={icon}
              className="justify-start"
              onClick={() => {
                onDone();
                choose(entry, offer);
              }}
            >
              {label}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
