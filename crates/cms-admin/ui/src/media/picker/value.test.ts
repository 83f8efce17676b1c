import { expect, it } from "vitest";

import type { MediaItem } from "~/api/types";

import { fileValue, imageValue, smaller } from "./value";

const item = {
  id: "01J00000000000000000000001",
  filename: "loom.jpg",
  mimeType: "image/jpeg",
  size: 10,
  width: 40,
  height: 30,
  alt: null,
  caption: null,
  url: "/_cms/api/media/file/01J.jpg",
  blurhash: null,
  dominantColor: "rgb(1,2,3)",
} as MediaItem;

it("stores a picture with what is known of it, and no alternative text where there is none", () => {
  expect(imageValue({ item, alt: "A loom" })).toEqual({ id: item.id, src: item.url, filename: "loom.jpg", mimeType: "image/jpeg", alt: "A loom", width: 40, height: 30, dominantColor: "rgb(1,2,3)" });
  expect(imageValue({ item, alt: "" })).not.toHaveProperty("alt");
});

it("stores a file with its size, even where it is empty", () => {
  expect(fileValue({ item: { ...item, size: 0 }, alt: "" })).toEqual({ id: item.id, src: item.url, filename: "loom.jpg", mimeType: "image/jpeg", size: 0 });
});

it("asks for smaller versions of this site's pictures alone", () => {
  expect(smaller(item.url, 320)).toBe(`${item.url}?w=320`);
  expect(smaller("/_cms/api/media/file/01J.svg", 320)).toBe("/_cms/api/media/file/01J.svg");
  expect(smaller("https://example.org/media/file/a.jpg", 320)).toBe("https://example.org/media/file/a.jpg");
});
