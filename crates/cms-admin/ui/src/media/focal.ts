// The focal point of a picture, by pointer and by keys.

export interface Point {
  x: number;
  y: number;
}

export const CENTRE: Point = { x: 0.5, y: 0.5 };

/** How far an arrow key moves it, of 1, and how far with Shift. */
const STEP = { fine: 0.01, coarse: 0.1 };

/** To whole hundredths within the picture: as it is told, so it is kept. */
function within(value: number): number {
  return Math.min(Math.max(Math.round(value * 100) / 100, 0), 1);
}

/** Where a key moves it; undefined for keys that mean nothing here. Pictures are not mirrored where lines run from right to left, and neither are the arrows. */
export function moved({ x, y }: Point, key: string, isCoarse: boolean): Point | undefined {
  const step = isCoarse ? STEP.coarse : STEP.fine;
  switch (key) {
    case "ArrowLeft":
      return { x: within(x - step), y };
    case "ArrowRight":
      return { x: within(x + step), y };
    case "ArrowUp":
      return { x, y: within(y - step) };
    case "ArrowDown":
      return { x, y: within(y + step) };
    case "Home":
      return CENTRE;
    default:
      return undefined;
  }
}

/** The point of a picture under the pointer. */
export function pointAt(pointer: { clientX: number; clientY: number }, picture: { left: number; top: number; width: number; height: number }): Point {
  if (picture.width <= 0 || picture.height <= 0) return CENTRE;
  return { x: within((pointer.clientX - picture.left) / picture.width), y: within((pointer.clientY - picture.top) / picture.height) };
}
