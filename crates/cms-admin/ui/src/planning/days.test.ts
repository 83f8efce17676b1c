import { CalendarDate } from "@internationalized/date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { byDay, dayOf, isShown, onDay, spanOf, stepped, VIEWS } from "./days";

const BERLIN = "Europe/Berlin";
const NOVEMBER = new CalendarDate(2026, 11, 25);
const days = (locale: string, view: (typeof VIEWS)[number] = "month") => spanOf(view, NOVEMBER, locale, BERLIN).days.map(String);

it("weeks begin as people of a language and region begin them", () => {
  expect([days("de-DE")[0], days("en-GB")[0], days("en-US")[0], days("fr-FR")[0]]).toEqual(["2026-10-26", "2026-10-26", "2026-11-01", "2026-10-26"]);
  expect([days("ar-EG")[0], days("ar-SA-u-ca-gregory")[0]]).toEqual(["2026-10-31", "2026-11-01"]);
  expect(days("ar-EG", "week")).toEqual(["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27"]);
});

it("a month has whole weeks, and never more days than the server tells at once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2000, max: 2100 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }), fc.constantFrom("en-US", "de-DE", "ar-EG"), (year, month, day, locale) => {
      const { days, from, to } = spanOf("month", new CalendarDate(year, month, day), locale, BERLIN);
      expect(days.length % 7).toBe(0);
      expect(days.filter((date) => date.month === month).length).toBeGreaterThanOrEqual(28);
      expect(Date.parse(to) - Date.parse(from)).toBeLessThan(100 * 86_400_000);
    }),
  );
});

it("whatever is shown around a day is within the years that the server knows, and no other day is shown", () => {
  const edges = [new CalendarDate(2, 1, 1), new CalendarDate(9998, 12, 31)];
  for (const day of edges) {
    expect(isShown(day)).toBe(true);
    for (const view of VIEWS) {
      for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
        const { from, to } = spanOf(view, day, "en-US", zone);
        expect([from, to]).toEqual([expect.stringMatching(/^\d{4}-/), expect.stringMatching(/^\d{4}-/)]);
        expect(Date.parse(from)).toBeGreaterThanOrEqual(Date.parse("0001-01-01T00:00:00Z"));
        expect(Date.parse(to)).toBeLessThan(Date.parse("9999-12-30T22:00:00Z"));
      }
    }
  }
  expect([new CalendarDate(1, 12, 31), new CalendarDate(9999, 1, 1), new CalendarDate("BC", 5, 1, 1)].map(isShown)).toEqual([false, false, false]);
});

it("days end with the last one that there is", () => {
  expect(spanOf("month", new CalendarDate(9999, 12, 31), "en-US", BERLIN).days.length).toBeLessThanOrEqual(42);
});

it("days begin where the clocks of the site begin them, also when these are put forward and back", () => {
  const { from, to } = spanOf("day", new CalendarDate(2026, 10, 25), "de-DE", BERLIN);
  expect([from, to]).toEqual(["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"]);
  // In Cairo a day of April begins at one.
  expect(spanOf("day", new CalendarDate(2026, 4, 24), "ar-EG", "Africa/Cairo").from).toBe("2026-04-23T22:00:00Z");
});

it("each instant is on the day that the clocks show", () => {
  const { starts, days, from, to } = spanOf("month", new CalendarDate(2026, 10, 1), "de-DE", BERLIN);
  fc.assert(
    fc.property(fc.array(fc.date({ min: new Date(from), max: new Date(Date.parse(to) - 1), noInvalidDate: true }), { maxLength: 60 }), (dates) => {
      const items = dates.map((date) => ({ at: date.toISOString() })).sort((one, other) => (one.at < other.at ? -1 : 1));
      const found = byDay(items, starts);
      expect(found.flat()).toEqual(items);
      found.forEach((items, n) => items.forEach(({ at }) => expect(dayOf(at, BERLIN)).toBe(String(days[n]))));
    }),
  );
});

it("what is before or behind the days is on none of them", () => {
  const { starts } = spanOf("day", NOVEMBER, "de-DE", BERLIN);
  expect(byDay([{ at: "2026-11-24T22:59:59Z" }, { at: "2026-11-25T23:00:00Z" }], starts)).toEqual([[]]);
});

it("an entry that moves to another day keeps the time that clocks show there", () => {
  expect(onDay("2026-10-24T07:30:00Z", "2026-10-26", BERLIN)).toBe("2026-10-26T08:30:00Z");
  expect(onDay("2026-03-28T08:30:15.250Z", "2026-03-29", BERLIN)).toBe("2026-03-29T07:30:15.250Z");
});

it("a time that clocks skip on the other day is the one that they show then, and of one that they show twice it is the earlier", () => {
  expect(onDay("2026-03-28T01:30:00Z", "2026-03-29", BERLIN)).toBe("2026-03-29T01:30:00Z");
  expect(onDay("2026-10-24T00:30:00Z", "2026-10-25", BERLIN)).toBe("2026-10-25T00:30:00Z");
});

it("the later of two equal times stays the later one on its own day", () => {
  expect(onDay("2026-10-25T01:30:00Z", "2026-10-25", BERLIN)).toBe("2026-10-25T01:30:00Z");
});

it("what is no day or no instant leads nowhere", () => {
  expect([onDay("2026-10-25T01:30:00Z", "2026-13-45", BERLIN), onDay("soon", "2026-10-25", BERLIN)]).toEqual([undefined, undefined]);
});

it("steps lead from month to month without missing one, and back", () => {
  expect(String(stepped("month", new CalendarDate(2026, 1, 31), 1))).toBe("2026-02-01");
  for (const view of VIEWS) expect(stepped(view, stepped(view, new CalendarDate(2026, 3, 1), 1), -1).compare(new CalendarDate(2026, 3, 1))).toBe(0);
});
