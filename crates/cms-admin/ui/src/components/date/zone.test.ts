import { CalendarDateTime } from "@internationalized/date";
import fc from "fast-check";
import { expect, it } from "vitest";

import { isZone } from "~/lib/zone";

import { instantsOf, wallOf, zoneName } from "./zone";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca"];

it("finds each instant again by what clocks show at it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.date({ min: new Date("1990-01-01"), max: new Date("2035-01-01"), noInvalidDate: true }), (zone, date) => {
      date.setUTCMilliseconds(0);
      const wall = wallOf(date.toISOString(), zone);
      const found = wall && instantsOf(wall, zone);
      const instants = found?.kind === "one" ? [found.instant] : found?.kind === "twice" ? [found.earlier, found.later] : [];
      expect(instants.map((instant) => new Date(instant).getTime())).toContain(date.getTime());
    }),
  );
});

it("knows that an hour is left out when clocks are put forward", () => {
  expect(instantsOf(new CalendarDateTime(2026, 3, 29, 2, 30), "Europe/Berlin")).toEqual({ kind: "never", next: "2026-03-29T01:30:00Z" });
});

it("knows that an hour comes twice when clocks are put back", () => {
  expect(instantsOf(new CalendarDateTime(2026, 10, 25, 2, 30), "Europe/Berlin")).toEqual({ kind: "twice", earlier: "2026-10-25T00:30:00Z", later: "2026-10-25T01:30:00Z" });
});

it("knows that a whole day is left out where the date line moved", () => {
  expect(instantsOf(new CalendarDateTime(2011, 12, 30, 12, 0), "Pacific/Apia").kind).toBe("never");
});

it("takes nothing for an instant that is none", () => {
  expect(wallOf("yesterday", "UTC")).toBeUndefined();
  expect(wallOf("2026-11-25T09:00:00Z", "Mars/Olympus")).toBeUndefined();
  expect(isZone("Mars/Olympus")).toBe(false);
});

it("names a zone with what it differs by on that day", () => {
  expect(zoneName("Europe/Berlin", "en-GB", new Date("2026-07-01"))).toBe("Central European Time (GMT+2)");
  expect(zoneName("Europe/Berlin", "en-GB", new Date("2026-12-01"))).toBe("Central European Time (GMT+1)");
  expect(zoneName("UTC", "en-GB", new Date("2026-12-01"))).toBe("Coordinated Universal Time (GMT+0)");
  expect(zoneName("Etc/GMT+3", "en-GB", new Date("2026-12-01"))).toBe("GMT-3");
});
