// A map as a picture of its own: SVG that any program shows, light on every ground.

import { CORNER, FONTS, TYPE, type Role, type Shape } from "./shapes";
import type { Point, Size } from "./layout";

/** Colours for paper; those of the screen follow the theme. */
const LOOKS: Record<Role, string> = {
  box: 'fill="#ffffff" stroke="#858a94"',
  missing: 'fill="#fff5f4" stroke="#b3261e" stroke-dasharray="5 4"',
  beside: 'fill="#f6f7f9" stroke="#c5c8ce"',
  rule: 'fill="none" stroke="#e3e5e9"',
  name: 'fill="#1b1f27"',
  slug: 'fill="#575c66"',
  field: 'fill="#1b1f27"',
  mark: 'fill="#575c66"',
  line: 'fill="none" stroke="#6b717c" stroke-width="1.25"',
  head: 'fill="#6b717c"',
};

/** Left free around everything, for lines that go out of boxes and come back. */
const MARGIN = 44;

export interface Piece {
  at: Point;
  shapes: Shape[];
}

/** The text of an SVG file. */
export function svgOf(title: string, { width, height }: Size, pieces: readonly Piece[]): string {
  const frame = [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].map(round);
  const [, , wide, tall] = frame;
  const lines = pieces.map(({ at, shapes }) => `<g transform="translate(${round(at.x)} ${round(at.y)})">${shapes.map(element).join("")}</g>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame.join(" ")}" width="${wide}" height="${tall}" font-family='${escaped(FONTS.sans)}'>`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${wide}" height="${tall}" fill="#ffffff"/>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

function element(shape: Shape): string {
  const look = LOOKS[shape.role];
  switch (shape.as) {
    case "rect":
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" rx="${CORNER}" ${look}/>`;
    case "path":
      return `<path d="${shape.path}" ${look}/>`;
    case "text": {
      const type = TYPE[shape.role];
      const letters = type ? ` font-size="${type.size}" font-weight="${type.weight}"${type.isMono ? ` font-family='${escaped(FONTS.mono)}'` : ""}` : "";
      return `<text x="${shape.x}" y="${shape.y}" direction="${shape.direction}" text-anchor="${shape.anchor}"${letters} ${look}>${escaped(shape.text)}</text>`;
    }
  }
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

const SIGNS = new Map([["&", "&amp;"], ["<", "&lt;"], [">", "&gt;"], ["'", "&apos;"]]);

/** What XML has no place for, a name cannot have: such characters are left out. */
function escaped(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the characters that XML 1.0 forbids
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>']/g, (sign) => SIGNS.get(sign) ?? sign);
}
