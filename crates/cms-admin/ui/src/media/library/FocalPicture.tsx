// A picture with the point that must stay in sight where it is cropped: set by pointer, or by arrow keys, and told in words.

import { Trans, useLingui } from "@lingui/react/macro";
import { useRef, type PointerEvent } from "react";

import type { MediaItem } from "~/api/types";
import { Button } from "~/components/Button";
import { useFormat } from "~/lib/format";

import { versionOf } from "../address";
import { CENTRE, moved, pointAt, type Point } from "../focal";

/** How wide the picture is asked for, in pixels. */
const WIDTH = 960;

interface FocalPictureProps {
  item: MediaItem;
  value: Point | null;
  onChange: (value: Point | null) => void;
  readOnly: boolean;
}

export function FocalPicture({ item, value, onChange, readOnly }: FocalPictureProps) {
  const { t } = useLingui();
  const { percent } = useFormat();
  const picture = useRef<HTMLDivElement>(null);
  const { x, y } = value ?? CENTRE;
  const [left, top] = [percent(x), percent(y)];
  const words = t`${left} from the left, ${top} from the top`;
  const put = (event: PointerEvent) => {
    if (picture.current) onChange(pointAt(event, picture.current.getBoundingClientRect()));
  };
  return (
    <div className="grid gap-2">
      <div className="grid place-items-center overflow-hidden rounded-md border border-line bg-sunken">
        <div
          ref={picture}
          // The picture is what is pointed at; for keys there is the mark in it.
          onPointerDown={(event) => {
            if (readOnly || event.button !== 0) return;
            event.preventDefault();
            event.currentTarget.setPointerCapture(event.pointerId);
            event.currentTarget.querySelector<HTMLElement>("[role=slider]")?.focus();
            put(event);
          }}
          onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && put(event)}
          style={item.dominantColor ? { backgroundColor: item.dominantColor } : undefined}
          className={readOnly ? "relative" : "relative cursor-crosshair touch-none"}
        >
          <img src={versionOf(item, WIDTH)} alt={item.alt ?? ""} width={item.width ?? undefined} height={item.height ?? undefined} draggable={false} className="block h-auto max-h-80 w-auto max-w-full" />
          {!readOnly && (
            <span
              role="slider"
              tabIndex={0}
              aria-label={t`Focal point`}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.round(x * 100)}
              aria-valuetext={words}
              onKeyDown={(event) => {
                const next = event.altKey || event.ctrlKey || event.metaKey ? undefined : moved({ x, y }, event.key, event.shiftKey);
                if (!next) return;
                event.preventDefault();
                onChange(next);
              }}
              style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
              className="absolute size-7 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-on-accent bg-scrim shadow-high outline-offset-2 after:absolute after:inset-0 after:m-auto after:size-1.5 after:rounded-full after:bg-on-accent"
            />
          )}
        </div>
      </div>
      {!readOnly && (
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm text-muted">
          <p>
            <Trans>Click what must stay in sight where the picture is cropped, or use the arrow keys.</Trans>{" "}
            <span role="status">{value ? words : t`No focal point is set.`}</span>
          </p>
          {value && (
            <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
              <Trans>Remove focal point</Trans>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
