// Makes names fit into boxes: what is too long ends with an ellipsis.

import { FONTS, TYPE, type Fit, type Role } from "./shapes";

/** No name that fits has more letters than this. */
const MOST = 80;

let canvas: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

function widthOf(text: string, role: Role): number {
  const key = `${role} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  canvas ??= document.createElement("canvas").getContext("2d");
  const { size, weight, isMono } = TYPE[role] ?? { size: 12, weight: 400, isMono: false };
  if (!canvas) return text.length * size * 0.6;
  canvas.font = `${weight} ${size}px ${isMono ? FONTS.mono : FONTS.sans}`;
  const { width } = canvas.measureText(text);
  widths.set(key, width);
  return width;
}

export const fit: Fit = (text, role, width) => {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= MOST && widthOf(line, role) <= width) return line;
  // By what people see as one letter: half of an emoji is none.
  const letters = Array.from(new Intl.Segmenter().segment(line.slice(0, MOST * 4)), ({ segment }) => segment).slice(0, MOST);
  let [shortest, longest] = [0, letters.length];
  while (shortest < longest) {
    const middle = Math.ceil((shortest + longest) / 2);
    if (widthOf(`${letters.slice(0, middle).join("")}…`, role) <= width) shortest = middle;
    else longest = middle - 1;
  }
  return `${letters.slice(0, shortest).join("").trimEnd()}…`;
};
