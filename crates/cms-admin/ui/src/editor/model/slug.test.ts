import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isMade, slugFrom } from "./slug";

describe("a slug from a title", () => {
  it("is the one that the server makes", () => {
    // The vectors of `EntrySlug::from_title`.
    for (const [title, slug] of [
      ["Hello, World!", "hello-world"],
      ["Café & Crème", "café-crème"],
      ["日本語 テスト", "日本語-テスト"],
      ["  --snake_case  title--", "snake-case-title"],
      ["!!!", ""],
      ["", ""],
    ]) {
      expect(slugFrom(title ?? "")).toBe(slug);
    }
  });

  it("has no space, no capital and no hyphen at an end, whatever the title is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (title) => {
        const slug = slugFrom(title);
        expect(slug).not.toMatch(/\s|^-|-$|--/);
        expect(slug).toBe(slug.toLowerCase());
        expect(slugFrom(slug)).toBe(slug);
      }),
    );
  });

  it("is known as such with and without a number", () => {
    expect(isMade("on-looms", "On looms")).toBe(true);
    expect(isMade("on-looms-12", "On looms")).toBe(true);
    expect(isMade("on-looms-2b", "On looms")).toBe(false);
    expect(isMade("looms", "On looms")).toBe(false);
    expect(isMade("untitled-0ckr8de", "!!!")).toBe(false);
  });
});
