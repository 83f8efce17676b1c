import fc from "fast-check";
import { expect, it } from "vitest";

import type { AnyEntry, CalendarItem } from "~/api/types";

import { happenings, placed, type Happenings, type Part } from "./placing";

const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T09:00:00Z`;
const entry = (id: string, more: Partial<AnyEntry> = {}) => ({ id, status: "published", publishedAt: null, scheduledAt: null, unpublishAt: null, ...more }) as AnyEntry;
const item = (id: string, day: number): CalendarItem => ({ kind: "publish", at: at(day), entry: entry(id) });
const PART: Part = { kinds: ["publish", "unpublish"], from: at(1), to: at(30) };

/** Pages as they come from the server; `more` says whether that is all. */
function pages(days: number[][], more = false): Happenings {
  const all = days.map((days, page) => ({ items: days.map((day, n) => item(`${page}-${n}`, day)), nextCursor: page < days.length || more ? "next" : undefined }));
  const last = all.at(-1);
  if (last && !more) delete last.nextCursor;
  return { pages: all, pageParams: all.map(() => undefined) };
}

const days = ({ pages }: Happenings) => pages.map(({ items }) => items.map(({ at }) => Number(at.slice(8, 10))));

it("what moved is on its new day alone, and what stands around it stays", () => {
  const data = pages([[2, 4], [6, 8]]);
  const moved = placed(data, PART, "0-0", [{ ...item("0-0", 7) }]);
  expect(days(moved)).toEqual([[4], [6, 7, 8]]);
  expect(days(placed(data, PART, "1-1", [item("1-1", 3)]))).toEqual([[2, 3, 4], [6]]);
  expect(days(placed(data, PART, "0-0", [item("0-0", 20)]))).toEqual([[4], [6, 8, 20]]);
});

it("what moved behind all that has come, comes with the rest", () => {
  expect(days(placed(pages([[2, 4]], true), PART, "0-0", [item("0-0", 20)]))).toEqual([[4]]);
});

it("what is outside of the time, or was not asked for, is left out", () => {
  const data = pages([[2]]);
  expect(days(placed(data, PART, "0-0", [{ ...item("0-0", 3), at: "2026-12-24T09:00:00Z" }, { ...item("0-0", 3), kind: "published" }]))).toEqual([[]]);
});

it("the order stays, wherever something is put", () => {
  const day = fc.integer({ min: 1, max: 29 });
  fc.assert(
    fc.property(fc.array(day, { maxLength: 20 }), day, fc.nat(), (list, to, n) => {
      const sorted = list.toSorted((one, other) => one - other);
      const cut = sorted.length === 0 ? 0 : n % sorted.length;
      const moved = days(placed(pages([sorted.slice(0, cut), sorted.slice(cut)]), PART, "new", [item("new", to)])).flat();
      expect(moved).toEqual([...sorted, to].sort((one, other) => one - other));
    }),
  );
});

it("an entry is there for all that happens to it, and public since the date that readers see", () => {
  const known: CalendarItem[] = [{ kind: "published", at: at(1), entry: entry("a", { publishedAt: at(9) }) }];
  const waiting = entry("a", { hasDraft: true, publishedAt: at(9), scheduledAt: at(10), unpublishAt: at(20) });
  const found = happenings(waiting, known);
  expect(found.map(({ kind, at }) => [kind, at])).toEqual([["publish", at(10)], ["unpublish", at(20)], ["published", at(1)]]);
  expect(happenings({ ...waiting, hasDraft: false, scheduledAt: null, unpublishAt: null }, known).map(({ at }) => at)).toEqual([at(9)]);
  expect(happenings(entry("a", { status: "draft", publishedAt: at(9) }), known)).toEqual([]);
});
