// What part of a map is seen, and how large: the arithmetic of moving about.

import type { Point, Size } from "./layout";

/** A point of the map is seen at its place times the scale, and moved by x and y. */
export interface View extends Point {
  scale: number;
}

export const SCALES = { least: 0.02, most: 2 };
/** Smaller than this, nobody reads names: a map opens no smaller, wherever its end is then. */
const READABLE = 0.5;
/** Left free around what is shown as a whole: lines go out of boxes before they come back. */
const MARGIN = 44;

/** Left free beside what is moved to. */
const EDGE = 12;

/** All of it, in the middle; no larger than it is. */
export function fitted(window: Size, whole: Size): View {
  const across = (window.width - 2 * MARGIN) / Math.max(whole.width, 1);
  const down = (window.height - 2 * MARGIN) / Math.max(whole.height, 1);
  const scale = Math.min(1, Math.max(SCALES.least, Math.min(across, down)));
  return { scale, x: (window.width - whole.width * scale) / 2, y: (window.height - whole.height * scale) / 2 };
}

/** What a map opens with: all of it where that can be read, else its beginning. */
export function opening(window: Size, whole: Size, isRight: boolean): View {
  const all = fitted(window, whole);
  if (all.scale >= READABLE) return all;
  const [width, height] = [whole.width * READABLE, whole.height * READABLE];
  const beginning = isRight ? window.width - width - MARGIN : MARGIN;
  return { scale: READABLE, x: width < window.width ? (window.width - width) / 2 : beginning, y: height < window.height ? (window.height - height) / 2 : MARGIN };
}

/** Larger or smaller by a factor; what is at a point of the window stays there. */
export function zoomed(view: View, factor: number, at: Point): View {
  const scale = Math.min(SCALES.most, Math.max(SCALES.least, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** Moved as far as it takes for a part to be seen whole. */
export function showing(view: View, window: Size, part: Point & Size): View {
  return {
    ...view,
    x: view.x + needed(part.x * view.scale + view.x, part.width * view.scale, window.width),
    y: view.y + needed(part.y * view.scale + view.y, part.height * view.scale, window.height),
  };
}

function needed(from: number, length: number, room: number): number {
  if (from < EDGE || length > room - 2 * EDGE) return EDGE - from;
  return Math.min(0, room - EDGE - (from + length));
}

/** The part of the map that is seen, with half a window around it, in steps: it stays the same while somebody moves a little. */
export function seen({ x, y, scale }: View, { width, height }: Size, step = 400): Point & Size {
  const down = (value: number) => Math.floor(value / step) * step;
  const up = (value: number) => Math.ceil(value / step) * step;
  const [left, top] = [down((-x - width / 2) / scale), down((-y - height / 2) / scale)];
  return { x: left, y: top, width: up((-x + width * 1.5) / scale) - left, height: up((-y + height * 1.5) / scale) - top };
}

export function touches(one: Point & Size, other: Point & Size): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

export type Direction = "left" | "right" | "up" | "down";

/** The box that is next in a direction: near, and rather straight on than aside. */
export function nextIn(places: readonly Point[], from: number, direction: Direction): number | undefined {
  const here = places[from];
  if (!here) return undefined;
  let [found, least] = [undefined as number | undefined, Infinity];
  places.forEach(({ x, y }, n) => {
    const [dx, dy] = [x - here.x, y - here.y];
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = Math.abs(direction === "left" || direction === "right" ? dy : dx);
    const far = ahead + aside * 2;
    if (n !== from && ahead > 0 && far < least) [found, least] = [n, far];
  });
  return found;
}
