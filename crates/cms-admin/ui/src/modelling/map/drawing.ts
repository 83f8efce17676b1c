// A map that is laid out: where each box stands, and what it and the arrows are drawn of.

import type { Arranged, Point, Size } from "./layout";
import { arrowsOf, type Arrow, type Box } from "./relations";
import { arrowShapes, boxShapes, sizeOf, WIDTH, type Fit, type Shape, type Words } from "./shapes";

export interface Drawing extends Size {
  boxes: Box[];
  places: Point[];
  arrows: (Arrow & { shapes: Shape[] })[];
  isRight: boolean;
  words: Words;
}

/** What is asked of the layout, and what its answer is of. */
export function wantedOf(boxes: readonly Box[]) {
  return { sizes: boxes.map(sizeOf), edges: arrowsOf(boxes).map(({ from, to }) => ({ from, to })) };
}

/** Where people read from the right, everything stands the other way around. */
export function drawn(boxes: Box[], arranged: Arranged, isRight: boolean, words: Words): Drawing {
  const { width, height } = arranged;
  const places = isRight ? arranged.places.map(({ x, y }) => ({ x: width - x - WIDTH, y })) : arranged.places;
  const bends = isRight ? arranged.bends.map((bends) => bends.map(({ x, y }) => ({ x: width - x, y }))) : arranged.bends;
  const arrows = arrowsOf(boxes).flatMap((arrow, n) => {
    const [from, to, count] = [places[arrow.from], places[arrow.to], boxes[arrow.from]?.rows[arrow.row]?.count];
    if (!from || !to) return [];
    return [{ ...arrow, shapes: arrowShapes({ from, row: arrow.row, to, bends: bends[n] ?? [], isMany: count === "any" || count === "some" }) }];
  });
  return { boxes, places, arrows, width, height, isRight, words };
}

/** What a drawing is made of, lines first: boxes stand before them. */
export function piecesOf({ boxes, places, arrows, isRight, words }: Drawing, fit: Fit): { at: Point; shapes: Shape[] }[] {
  const lines = arrows.map(({ shapes }) => ({ at: { x: 0, y: 0 }, shapes }));
  return [...lines, ...boxes.map((box, n) => ({ at: places[n] ?? { x: 0, y: 0 }, shapes: boxShapes(box, true, { fit, words, isRight }) }))];
}
