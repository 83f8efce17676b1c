import { expect, it } from "vitest";

import { EXAMPLES, legible, NOTHING, withoutValue, withPage, type Checked, type Example } from "./outcome";

const example = (n: number): Example => ({ id: `id-${n}`, locale: "en", title: null, from: String(n), to: null });
const page = (of: Partial<Checked>): Checked => ({ entries: 0, same: 0, converted: 0, aside: 0, dangling: 0, convertedExamples: [], asideExamples: [], danglingExamples: [], needsConvert: false, ...of });

it("adds pages up, and needs a conversion where any of them does", () => {
  const pages = [page({ entries: 2000, same: 1990, converted: 4, needsConvert: true }), page({ entries: 2000, same: 2000 }), page({ entries: 7, aside: 3, dangling: 2, needsConvert: true })];
  const whole = pages.reduce(withPage, NOTHING);
  expect(whole).toMatchObject({ entries: 4007, same: 3990, converted: 4, aside: 3, dangling: 2, needsConvert: true });
  expect(withoutValue(whole)).toBe(10);
  expect(pages.slice(1, 2).reduce(withPage, NOTHING).needsConvert).toBe(false);
});

it("keeps the first examples, however many pages there are", () => {
  const pages = Array.from({ length: 500 }, (_, n) => page({ entries: 2000, aside: 2, asideExamples: [example(2 * n), example(2 * n + 1)] }));
  const whole = pages.reduce(withPage, NOTHING);
  expect(whole.entries).toBe(1_000_000);
  expect(whole.asideExamples.map(({ id }) => id)).toEqual(Array.from({ length: EXAMPLES }, (_, n) => `id-${n}`));
});

it("shows the words of rich text, and values without parts as they are", () => {
  const span = (text: string) => ({ _type: "span", _key: "s", text, marks: [] });
  const rich = JSON.stringify([{ _type: "block", _key: "k", children: [span('He said "so"\nand '), span("left.")] }]);
  expect(legible(rich)).toBe('He said "so" and left.');
  expect(legible(`${rich.slice(0, rich.indexOf("said") + 4)}…`)).toBe("He said…");
  expect(legible(JSON.stringify([{ _type: "block", children: [span("Weft ".repeat(40))] }]))).toBe(`${"Weft ".repeat(16).trim()}…`);
  for (const json of ['"12"', "12", "null", '{"constructor":1}', '[{"name":"a"}]', '"cut he…', "[]"]) expect(legible(json)).toBe(json);
});

it("shows the names of pictures and files, also of those that are cut, and of other values the first characters", () => {
  const image = { id: "01M8GG5VSAHNB9F5KXC295W85M", src: "https://example.com/media/loom%20one.jpg?w=3", alt: "A \u201cloom\u201d", filename: "loom.jpg" };
  expect(legible(JSON.stringify(image))).toBe("loom.jpg");
  expect(legible(JSON.stringify({ ...image, filename: "" }))).toBe("A “loom”");
  expect(legible(JSON.stringify({ src: image.src, alt: "" }))).toBe("loom%20one.jpg");
  expect(legible('{"filename":"a very long na…')).toBe("a very long na…");
  const long = JSON.stringify({ numbers: Array.from({ length: 100 }, (_, n) => n) });
  expect(legible(long)).toBe(`${long.slice(0, 80)}…`);
});
