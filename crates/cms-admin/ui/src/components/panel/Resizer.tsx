// The edge of a panel, by which it is made wider: dragged, or moved by arrow keys.

import { useLingui } from "@lingui/react/macro";
import { useRef, type KeyboardEvent, type PointerEvent } from "react";

import { WIDTH } from "./useWidth";

interface ResizerProps {
  /** In rem, as those below. */
  width: number;
  usual: number;
  most: number;
  onChange: (width: number) => void;
}

export function Resizer({ width, usual, most, onChange }: ResizerProps) {
  const { t } = useLingui();
  const from = useRef<{ x: number; width: number }>(undefined);

  /** 1 where a step to the left makes the panel wider, which stands at the end of the line. */
  const sign = (element: Element) => (getComputedStyle(element).direction === "rtl" ? -1 : 1);

  function move({ clientX, currentTarget }: PointerEvent) {
    if (!from.current) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    onChange(from.current.width + (sign(currentTarget) * (from.current.x - clientX)) / rem);
  }

  function press(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowLeft: width + sign(event.currentTarget),
      ArrowRight: width - sign(event.currentTarget),
      Home: WIDTH.least,
      End: most,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChange(to);
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={t`Width of the panel`}
      aria-orientation="vertical"
      aria-valuenow={Math.round(width)}
      aria-valuemin={WIDTH.least}
      aria-valuemax={most}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={move}
      onLostPointerCapture={() => (from.current = undefined)}
      onDoubleClick={() => onChange(usual)}
      className="absolute inset-y-0 -start-1.5 z-10 w-3 cursor-col-resize touch-none after:absolute after:inset-y-0 after:start-[0.3125rem] after:w-0.5 hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-focus"
    />
  );
}
