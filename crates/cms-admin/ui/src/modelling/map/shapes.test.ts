import { expect, it } from "vitest";

import type { Box } from "./relations";
import { arrowShapes, boxShapes, sizeOf, WIDTH, type Fit } from "./shapes";
import { svgOf } from "./svg";

const BOX: Box = {
  slug: "posts",
  label: "Posts",
  isMissing: false,
  fields: 3,
  isBeside: false,
  rows: [
    { slug: "author", label: "Author", count: "one", target: 1 },
    { slug: "about", label: "About", count: "any", target: undefined },
  ],
};
const words = { any: "any", missing: "missing" };
const whole: Fit = (text) => text;
const texts = (box: Box, isNear = true, isRight = false) => boxShapes(box, isNear, { fit: whole, words, isRight }).flatMap((shape) => (shape.as === "text" ? [shape] : []));

it("says in a box what a collection is called and what each of its references names", () => {
  expect(texts(BOX).map(({ text }) => text)).toEqual(["Posts", "posts", "Author", "1", "About", "any 0..n"]);
  expect(texts(BOX, false).map(({ text }) => text)).toEqual(["Posts"]);
  expect(texts({ ...BOX, isMissing: true, rows: [] }).map(({ text }) => text)).toEqual(["Posts", "missing"]);
});

it("begins lines at the left, and at the right where people read from there, whatever letters they are of", () => {
  for (const label of ["Posts", "مقالات"]) {
    const [left] = texts({ ...BOX, label });
    const [right] = texts({ ...BOX, label }, true, true);
    const isArabic = label !== "Posts";
    expect([left?.x, left?.anchor], label).toEqual([12, isArabic ? "end" : "start"]);
    expect([right?.x, right?.anchor], label).toEqual([WIDTH - 12, isArabic ? "start" : "end"]);
  }
});

it("leads arrows out of the side that is nearer, and around what stands in the same column", () => {
  const line = (to: { x: number; y: number }) => {
    const [path] = arrowShapes({ from: { x: 0, y: 0 }, row: 0, to, bends: [], isMany: false });
    return path?.as === "path" ? path.path : "";
  };
  expect(line({ x: 400, y: 0 })).toMatch(/^M240 59C/);
  expect(line({ x: -400, y: 0 })).toMatch(/^M0 59C/);
  expect(line({ x: 0, y: 0 })).toMatch(/^M240 59C276 59 .* 247 23$/);
});

it("is as tall as its rows", () => {
  expect(sizeOf({ rows: [] }).height).toBeLessThan(sizeOf(BOX).height);
});

it("writes a file that XML can be read from, whatever things are called", () => {
  const label = `A <b> & "c" 'd' \u0007]]>`;
  const svg = svgOf("Map & more", { width: 240, height: 100 }, [{ at: { x: 1.23456, y: 0 }, shapes: boxShapes({ ...BOX, label }, true, { fit: whole, words, isRight: false }) }]);
  expect(svg).toContain("A &lt;b&gt; &amp; \"c\" &apos;d&apos; ]]&gt;</text>");
  expect(svg).toContain('viewBox="-44 -44 328 188"');
  expect(svg).toContain('translate(1.23 0)');
});
