import { CalendarDate, Time, today } from "@internationalized/date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { readDate, readTime, writeDate, writeTime } from "./parse";

const LOCALES = ["en-US", "en-GB", "en", "de", "de-CH", "ar", "ar-EG", "ar-AE", "fr", "es", "sv", "ja", "hu", "fa"];
const date = fc
  .tuple(fc.integer({ min: 1900, max: 2200 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, day]) => new CalendarDate(year, month, day));
const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.constantFrom(0, 0, 7, 59)).map((parts) => new Time(...parts));

it("reads every date that it writes, in any language", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), date, (locale, date) => {
      expect(readDate(writeDate(date, locale), locale)?.toString()).toBe(date.toString());
    }),
  );
});

it("reads every time that it writes, in any language", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), time, (locale, time) => {
      expect(readTime(writeTime(time, locale), locale)?.toString()).toBe(time.toString());
    }),
  );
});

it("survives every text", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), (locale, text) => {
      readDate(text, locale);
      readTime(text, locale);
    }),
  );
});

it.each([
  ["25/11/2026", "en-GB", "2026-11-25"],
  ["11/25/2026", "en-US", "2026-11-25"],
  ["25.11.26", "de", "2026-11-25"],
  ["25 nov 2026", "en-GB", "2026-11-25"],
  ["November 25, 2026", "en-US", "2026-11-25"],
  ["3. März 2026", "de", "2026-03-03"],
  ["2026-11-25", "de", "2026-11-25"],
  ["25112026", "en-GB", "2026-11-25"],
  ["٢٥/١١/٢٠٢٦", "ar-EG", "2026-11-25"],
])("reads %s in %s as %s", (text, locale, expected) => {
  expect(readDate(text, locale)?.toString()).toBe(expected);
});

it("takes the present year where none is said", () => {
  expect(readDate("25/11", "en-GB", "UTC")?.toString()).toBe(`${today("UTC").year}-11-25`);
});

it.each([
  ["tomorrow", "en", 1],
  ["Morgen", "de", 1],
  ["heute", "de", 0],
  ["غدًا", "ar", 1],
])("reads %s in %s", (text, locale, days) => {
  expect(readDate(text, locale, "Pacific/Kiritimati")?.toString()).toBe(today("Pacific/Kiritimati").add({ days }).toString());
});

it.each([
  ["31.2.2026", "de"],
  ["29.2.2027", "de"],
  ["2026-13-01", "en"],
  ["25/11/2026", "en-US"],
  ["soon", "en"],
  ["1.2.3.4", "de"],
  ["1/1/123", "en"],
  ["ma 3 2026", "en"],
])("does not take %s in %s for a date", (text, locale) => {
  expect(readDate(text, locale)).toBeUndefined();
});

it.each([
  ["9", "en-GB", "09:00:00"],
  ["9:05", "en-GB", "09:05:00"],
  ["0930", "de", "09:30:00"],
  ["930", "de", "09:30:00"],
  ["9.30 Uhr", "de", "09:30:00"],
  ["9 pm", "en-US", "21:00:00"],
  ["12 am", "en-US", "00:00:00"],
  ["9:15 p.m.", "en-GB", "21:15:00"],
  ["21h", "fr", "21:00:00"],
  ["٩:٣٠ م", "ar-EG", "21:30:00"],
])("reads %s in %s as %s", (text, locale, expected) => {
  expect(readTime(text, locale)?.toString()).toBe(expected);
});

it.each(["24:00", "9:60", "13 pm", "0 am", "noonish", "9 tomorrow", "1:2:3", ""])("does not take %j for a time", (text) => {
  expect(readTime(text, "en-US")).toBeUndefined();
});
