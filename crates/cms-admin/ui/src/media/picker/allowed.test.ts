import { expect, it } from "vitest";

import { accepted, allows, kindsOf, typesAsked } from "./allowed";

it("allows a type by its name, by its beginning and in any case of letters, and everything where nothing is named", () => {
  expect(allows(["image/", "application/pdf"], "IMAGE/png")).toBe(true);
  expect(allows(["image/", "Application/PDF"], "application/pdf")).toBe(true);
  expect(allows(["image/"], "video/mp4")).toBe(false);
  expect(allows(["image/png"], "image/pngx")).toBe(false);
  expect(allows([], "anything/else")).toBe(true);
});

it("offers only kinds of which something is allowed", () => {
  expect(kindsOf(["image/png"])).toEqual(["image"]);
  expect(kindsOf(["image/", "application/pdf"])).toEqual(["image", "document"]);
  expect(kindsOf([])).toEqual(["image", "video", "audio", "document"]);
});

it("asks for what is both allowed and of the kind", () => {
  expect(typesAsked(["image/", "application/pdf"])).toBe("image/,application/pdf");
  expect(typesAsked(["image/", "application/pdf"], "document")).toBe("application/pdf");
  expect(typesAsked([], "document")).toBe("application/,text/");
  expect(typesAsked([])).toBeUndefined();
});

it("asks for a list that is too long by its beginnings", () => {
  const types = Array.from({ length: 64 }, (_, n) => `image/x-a-rather-long-name-${n}`);
  expect(typesAsked([...types, "video/mp4"])).toBe("image/,video/");
});

it("tells the browser's dialog the same", () => {
  expect(accepted(["image/", "application/pdf"])).toBe("image/*,application/pdf");
});
