// The map itself: boxes that lead to their collections, and arrows between them.

import { useLingui } from "@lingui/react/macro";
import { useRouter } from "@tanstack/react-router";
import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { memo, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";

import { IconButton } from "~/components/Button";
import { cx } from "~/lib/cx";

import type { Drawing } from "./drawing";
import { fit } from "./fit";
import type { Point } from "./layout";
import type { Box } from "./relations";
import { boxShapes, sizeOf, type Words } from "./shapes";
import { Shapes } from "./Shapes";
import { useSentence } from "./useSentence";
import { useViewport } from "./useViewport";
import { fitted, nextIn, opening, seen, showing, touches, zoomed, type Direction } from "./view";

/** How much larger or smaller a button and a key make it. */
const STEP = 1.3;
/** From these scales on a box is drawn with its rows, and with its name. */
const NEAR = 0.4;
const FAR = 0.13;

type Detail = "rows" | "name" | "none";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export function MapView({ drawing }: { drawing: Drawing }) {
  const { t } = useLingui();
  const router = useRouter();
  const { view, window, frame, change, handlers } = useViewport();
  const [active, setActive] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const { boxes, places, width, height, isRight } = drawing;
  const current = Math.min(active, boxes.length - 1);
  const isKnown = window.width > 0;

  // Each drawing is opened anew, once there is a window onto it.
  const [opened, setOpened] = useState<Drawing>();
  if (isKnown && opened !== drawing) {
    setOpened(drawing);
    setActive(0);
    setPointed(undefined);
    change((_, window) => opening(window, drawing, isRight));
  }

  const href = (slug: string) => router.history.createHref(router.buildLocation({ to: "/model/$collection", params: { collection: slug } }).href);
  const partOf = (n: number) => ({ ...(places[n] ?? { x: 0, y: 0 }), ...sizeOf(boxes[n] ?? { rows: [] }) });
  const middle = { x: window.width / 2, y: window.height / 2 };

  function go(n: number | undefined) {
    if (n === undefined) return;
    setActive(n);
    change((view, window) => showing(view, window, partOf(n)));
    // It may only now come into sight, and be drawn.
    requestAnimationFrame(() => svg.current?.querySelector<SVGElement>(`[data-box="${n}"]`)?.focus({ preventScroll: true }));
  }

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction) go(nextIn(places, current, direction));
    else if (event.key === "Home") go(boxes.length > 0 ? 0 : undefined);
    else if (event.key === "End") go(boxes.length - 1);
    else if (event.key === "+" || event.key === "=") change((view) => zoomed(view, STEP, middle));
    else if (event.key === "-") change((view) => zoomed(view, 1 / STEP, middle));
    else if (event.key === "0") change((_, window) => fitted(window, drawing));
    else return;
    event.preventDefault();
  }

  function click(event: MouseEvent) {
    const box = boxes[boxAt(event.target) ?? -1];
    if (!box || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: "/model/$collection", params: { collection: box.slug } });
  }

  const lit = pointed ?? (isFocused ? current : undefined);
  const detail: Detail = view.scale >= NEAR ? "rows" : view.scale >= FAR ? "name" : "none";
  const { x, y, width: across, height: down } = seen(view, window);
  return (
    <div className="relative min-w-0">
      <div
        ref={frame}
        {...handlers}
        onDragStart={(event) => event.preventDefault()}
        className="h-[max(22rem,calc(100dvh-var(--header-height)-15rem))] cursor-grab touch-none overflow-hidden rounded-lg border border-line bg-sunken select-none active:cursor-grabbing"
      >
        <svg
          ref={svg}
          role="group"
          aria-label={t`Map of the content model`}
          aria-description={t`Arrow keys go from box to box, Enter opens a collection, plus and minus change the size, and 0 shows everything.`}
          className="block size-full"
          onKeyDown={press}
          onClick={click}
          onPointerOver={(event) => setPointed(boxAt(event.target))}
          onPointerLeave={() => setPointed(undefined)}
          onFocus={(event) => {
            const box = boxAt(event.target);
            if (box !== undefined) setActive(box);
            setFocused(event.target.matches(":focus-visible"));
          }}
          onBlur={() => setFocused(false)}
        >
          {isKnown && (
            <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
              <Lines drawing={drawing} />
              <Boxes drawing={drawing} detail={detail} active={current} {...{ x, y, across, down }} hrefOf={href} />
              {lit !== undefined && <Lit drawing={drawing} box={lit} />}
            </g>
          )}
        </svg>
      </div>
      <div className="absolute end-3 bottom-3 flex rounded-md border border-line bg-surface shadow-low">
        <IconButton label={t`Zoom out`} icon={<ZoomOut />} onClick={() => change((view) => zoomed(view, 1 / STEP, middle))} />
        <IconButton label={t`Zoom in`} icon={<ZoomIn />} onClick={() => change((view) => zoomed(view, STEP, middle))} />
        <IconButton label={t`Show everything`} icon={<Maximize />} onClick={() => change((_, window) => fitted(window, { width, height }))} />
      </div>
    </div>
  );
}

/** The box that an element of the map is part of. */
function boxAt(target: EventTarget): number | undefined {
  const box = target instanceof Element ? target.closest("[data-box]")?.getAttribute("data-box") : undefined;
  return box ? Number(box) : undefined;
}

const Lines = memo(function Lines({ drawing: { arrows } }: { drawing: Drawing }) {
  return (
    <g aria-hidden>
      {arrows.map(({ from, row, shapes }) => (
        <g key={`${from} ${row}`}>
          <Shapes of={shapes} />
        </g>
      ))}
    </g>
  );
});

interface BoxesProps extends Point {
  drawing: Drawing;
  detail: Detail;
  active: number;
  /** With x and y, the part of the map that is drawn. */
  across: number;
  down: number;
  hrefOf: (slug: string) => string;
}

const Boxes = memo(
  function Boxes({ drawing: { boxes, places, arrows, words, isRight }, detail, active, x, y, across, down, hrefOf }: BoxesProps) {
    const sentence = useSentence();
    const referrers = useMemo(() => {
      const counts = new Map<number, number>();
      for (const { to } of arrows) counts.set(to, (counts.get(to) ?? 0) + 1);
      return counts;
    }, [arrows]);
    const part = { x, y, width: across, height: down };
    return boxes.map((box, n) => {
      const at = places[n];
      if (!at || (n !== active && !touches({ ...at, ...sizeOf(box) }, part))) return null;
      const name = sentence(box, referrers.get(n) ?? 0);
      return <BoxLink key={box.slug} {...{ box, n, name, at, detail, words, isRight }} isActive={n === active} href={box.isMissing ? undefined : hrefOf(box.slug)} />;
    });
  },
  // The address of a collection never changes, and its function always does.
  (one, other) => one.drawing === other.drawing && one.detail === other.detail && one.active === other.active && one.x === other.x && one.y === other.y && one.across === other.across && one.down === other.down,
);

interface BoxLinkProps {
  box: Box;
  n: number;
  name: string;
  at: Point;
  detail: Detail;
  words: Words;
  isRight: boolean;
  isActive: boolean;
  href: string | undefined;
}

const BoxLink = memo(function BoxLink({ box, n, name, at, detail, words, isRight, isActive, href }: BoxLinkProps) {
  const shapes = useMemo(() => {
    const all = boxShapes(box, detail === "rows", { fit, words, isRight });
    return detail === "none" ? all.filter(({ as }) => as !== "text") : all;
  }, [box, detail, words, isRight]);
  const given = { "data-box": n, tabIndex: isActive ? 0 : -1, transform: `translate(${at.x} ${at.y})` };
  const className = "rounded-sm outline-offset-3 hover:[&>rect]:stroke-accent focus-visible:[&>rect]:stroke-focus";
  const inside = (
    <>
      {/* The name of the box, too. */}
      <title>{[name, ...(box.label === box.slug ? [] : [box.slug])].join("\n")}</title>
      <Shapes of={shapes} />
    </>
  );
  // What does not exist leads nowhere.
  return href ? (
    <a {...given} href={href} className={cx("cursor-pointer", className)}>
      {inside}
    </a>
  ) : (
    <g {...given} role="img" className={className}>
      {inside}
    </g>
  );
});

/** The arrows of one box, before everything else. */
function Lit({ drawing: { arrows }, box }: { drawing: Drawing; box: number }) {
  return (
    <g aria-hidden className="pointer-events-none">
      {arrows
        .filter(({ from, to }) => from === box || to === box)
        .map(({ from, row, shapes }) => (
          <g key={`${from} ${row}`}>
            <Shapes of={shapes} isLit />
          </g>
        ))}
    </g>
  );
}
