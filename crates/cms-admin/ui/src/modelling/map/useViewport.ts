// Moving about on a map: by dragging, by wheel and pinching, and by buttons and keys that ask for it.

import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type PointerEvent } from "react";

import type { Point, Size } from "./layout";
import { zoomed, type View } from "./view";

/** How far a pointer moves before it drags, in pixels. Fingers tremble. */
const THRESHOLD = 5;
/** What one turn of a wheel makes larger. */
const TURN = 0.0022;

interface Viewport {
  view: View;
  /** The size of the window onto the map; nothing until it is known. */
  window: Size;
  frame: (element: HTMLElement | null) => void;
  change: (to: (view: View, window: Size) => View) => void;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
    onClickCapture: (event: MouseEvent) => void;
  };
}

export function useViewport(): Viewport {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const [window, setWindow] = useState<Size>({ width: 0, height: 0 });
  const [element, frame] = useState<HTMLElement | null>(null);
  const pointers = useRef(new Map<number, Point>());
  const dragged = useRef(0);

  const turn = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    // A line is as high as a text is, and a page as the window.
    const unit = [1, 16, window.height][event.deltaMode] ?? 1;
    if (event.ctrlKey || event.metaKey) {
      setView((view) => zoomed(view, Math.exp(-event.deltaY * unit * TURN * (Math.abs(event.deltaY) < 30 ? 4 : 1)), within(element, event)));
    } else {
      const [across, down] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      setView(({ x, y, scale }) => ({ scale, x: x - across * unit, y: y - down * unit }));
    }
  });

  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWindow({ width: entry.contentRect.width, height: entry.contentRect.height }));
    observer.observe(element);
    // React's own listener may not keep the page from scrolling.
    element.addEventListener("wheel", turn, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", turn);
    };
  }, [element]);

  const release = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return {
    view,
    window,
    frame,
    change: (to) => setView((view) => to(view, window)),
    handlers: {
      onPointerDown: (event) => {
        if (event.pointerType === "mouse" && event.button > 1) return;
        if (pointers.current.size === 0) dragged.current = 0;
        pointers.current.set(event.pointerId, within(element, event));
      },
      onPointerMove: (event) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        // A button that was let go outside of the window is not held any more.
        if (event.buttons === 0) {
          release(event);
          return;
        }
        const now = within(element, event);
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        pointers.current.set(event.pointerId, now);
        dragged.current += Math.hypot(now.x - before.x, now.y - before.y);
        if (dragged.current < THRESHOLD) return;
        // Only now: a pointer that is captured clicks nothing.
        if (element?.hasPointerCapture(event.pointerId) === false) element.setPointerCapture(event.pointerId);
        setView((view) => {
          if (!other) return { ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y };
          const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
          const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
          const moved = { ...view, x: view.x + (now.x - before.x) / 2, y: view.y + (now.y - before.y) / 2 };
          return zoomed(moved, factor, middle);
        });
      },
      onPointerUp: release,
      onPointerCancel: release,
      onClickCapture: (event) => {
        // A key clicks as well, and has not dragged anything.
        if (event.detail === 0 || dragged.current < THRESHOLD) return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

/** Where a pointer is within something. */
function within(element: HTMLElement | null, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left = 0, top = 0 } = element?.getBoundingClientRect() ?? {};
  return { x: clientX - left, y: clientY - top };
}
