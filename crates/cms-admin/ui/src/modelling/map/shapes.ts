// What a map is drawn of: rectangles, lines and texts, the same on the screen and in a file.

import type { Point, Size } from "./layout";
import type { Box, Count } from "./relations";

/** What a shape is, from which its look follows. */
export type Role = "box" | "missing" | "beside" | "rule" | "name" | "slug" | "field" | "mark" | "line" | "head";

export type Shape =
  | ({ as: "rect"; role: Role } & Point & Size)
  | ({ as: "text"; role: Role; text: string; anchor: "start" | "end"; direction: "ltr" | "rtl" } & Point)
  | { as: "path"; role: Role; path: string };

/** How letters look, in pixels of the map. */
export const TYPE: Partial<Record<Role, { size: number; weight: number; isMono: boolean }>> = {
  name: { size: 14, weight: 600, isMono: false },
  slug: { size: 11, weight: 400, isMono: true },
  field: { size: 12.5, weight: 400, isMono: false },
  mark: { size: 11, weight: 500, isMono: false },
};

export const FONTS = {
  sans: '"Inter Variable", Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
};

/** The measures of a box: its head, its rows below a line, and what is left free within its sides. */
const HEAD = 46;
const ROW = 24;
const END = 6;
const SIDE = 12;
export const WIDTH = 240;
/** Round corners, as everywhere in the application. */
export const CORNER = 8;

/** How many entries a row names, as in diagrams of data. */
export const MARKS: Record<Count, string> = { one: "1", maybeOne: "0..1", some: "1..n", any: "0..n" };

/** What a part of a map says beside names. */
export interface Words {
  /** For a row that takes entries of any collection. */
  any: string;
  /** In the place of the slug of what is missing. */
  missing: string;
}

/** Makes a text fit into a width. */
export type Fit = (text: string, role: Role, width: number) => string;

export function sizeOf({ rows }: Pick<Box, "rows">): Size {
  return { width: WIDTH, height: HEAD + (rows.length > 0 ? rows.length * ROW + END : 0) };
}

/** The middle of a row, below the corner of its box. */
function rowAt(row: number): number {
  return HEAD + row * ROW + ROW / 2 + 1;
}

/** Letters that are written from right to left. */
const RIGHT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

interface Drawn {
  fit: Fit;
  words: Words;
  isRight: boolean;
}

/** A box with its corner at nothing. `isNear` is whether there is room for more than its name. */
export function boxShapes(box: Box, isNear: boolean, { fit, words, isRight }: Drawn): Shape[] {
  const { width, height } = sizeOf(box);
  const room = width - 2 * SIDE;
  /** A text at the side where lines begin, or at the other one; it is read in its own direction. */
  const text = (role: Role, said: string, y: number, atEnd = false): Shape => {
    const direction = RIGHT.test(said) ? "rtl" : "ltr";
    const atLeft = isRight === atEnd;
    return { as: "text", role, text: said, x: atLeft ? SIDE : width - SIDE, y, direction, anchor: atLeft === (direction === "ltr") ? "start" : "end" };
  };
  const shapes: Shape[] = [{ as: "rect", role: box.isMissing ? "missing" : box.isBeside ? "beside" : "box", x: 0, y: 0, width, height }];
  shapes.push(text("name", fit(box.label, "name", room), 20));
  if (!isNear) return shapes;
  shapes.push(text("slug", fit(box.isMissing ? words.missing : box.slug, "slug", room), 37));
  if (box.rows.length > 0) shapes.push({ as: "path", role: "rule", path: `M0 ${HEAD}H${width}` });
  box.rows.forEach(({ label, count, target }, row) => {
    const mark = target === undefined ? `${words.any} ${MARKS[count]}` : MARKS[count];
    const at = rowAt(row) + 4.5;
    shapes.push(text("field", fit(label, "field", room - (target === undefined ? 100 : 44)), at), text("mark", fit(mark, "mark", 96), at, true));
  });
  return shapes;
}

interface Ends {
  from: Point;
  row: number;
  to: Point;
  bends: readonly Point[];
  isMany: boolean;
}

/** How far a line goes straight out of a box where it comes back to the same side. */
const OUT = 36;
const TIP = 7;

/** An arrow from the row of a box to the head of another one, around what is in between. Two tips stand for several entries. */
export function arrowShapes({ from, row, to, bends, isMany }: Ends): Shape[] {
  const middle = to.x + WIDTH / 2;
  const next = bends[0]?.x ?? middle;
  const last = bends.at(-1)?.x ?? from.x + WIDTH / 2;
  // Where one stands above the other, the arrow leaves and comes back at the same side.
  const isLoop = bends.length === 0 && Math.abs(to.x - from.x) < WIDTH;
  const outRight = isLoop || next >= from.x + WIDTH / 2;
  const inLeft = !isLoop && last < middle;
  const start = { x: outRight ? from.x + WIDTH : from.x, y: from.y + rowAt(row) };
  const tip = { x: inLeft ? to.x : to.x + WIDTH, y: to.y + HEAD / 2 };
  const towards = inLeft ? 1 : -1;
  const end = { x: tip.x - towards * TIP * (isMany ? 2 : 1), y: tip.y };
  const head = (x: number) => `M${x} ${tip.y}l${-towards * TIP} -4.5v9z`;
  const path = isLoop
    ? `M${start.x} ${start.y}C${start.x + OUT} ${start.y} ${end.x + OUT} ${end.y} ${end.x} ${end.y}`
    : through([start, ...bends, end]);
  return [
    { as: "path", role: "line", path },
    { as: "path", role: "head", path: isMany ? head(tip.x) + head(tip.x - towards * TIP) : head(tip.x) },
  ];
}

/** A line through points that is level at each of them. */
function through(points: readonly Point[]): string {
  return points
    .map(({ x, y }, n) => {
      const before = points[n - 1];
      if (!before) return `M${x} ${y}`;
      const half = (x - before.x) / 2;
      return `C${before.x + half} ${before.y} ${x - half} ${y} ${x} ${y}`;
    })
    .join("");
}
