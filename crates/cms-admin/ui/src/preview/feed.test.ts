import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { entryOf, type Entry } from "./entry";
import { Feed } from "./feed";
import type { ToPage } from "./messages";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Told = Extract<ToPage, { type: "entry" }>;

const entry = (data: Record<string, unknown>, more: Partial<Entry> = {}) => ({ id: "1", slug: "a", data, ...more }) as Entry;

/** An entry, and a page that puts together what it is told, as `site/preview.js` does. It says what it shows after a while. */
function fed(first: Entry, takes: () => number = () => 0) {
  const told: Told[] = [];
  let now = first;
  let saved = true;
  let seen: Record<string, unknown> & { data: Record<string, unknown> } = { data: {} };
  const feed: Feed = new Feed({
    look: () => ({ entry: now, saved }),
    now: () => Date.now(),
    send: (message) => {
      if (message.type !== "entry") return;
      const { number, whole, entry, parts } = structuredClone(message);
      told.push(message);
      const data: Record<string, unknown> = { ...(whole ? {} : seen.data), ...entry.data };
      for (const [name, { at, drop, items }] of Object.entries(parts)) data[name] = (data[name] as unknown[]).toSpliced(at, drop, ...items);
      seen = { ...(whole ? {} : seen), ...entry, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) };
      const time = takes();
      if (Number.isFinite(time)) setTimeout(() => feed.shown(number), time);
    },
  });
  return {
    feed,
    told,
    seen: () => seen,
    now: () => now,
    write: (next: Entry, isSaved = false) => {
      now = next;
      saved = isSaved;
      feed.changed();
    },
  };
}

it("sends whole what a page does not know, and then what changed of it alone", () => {
  const { feed, told, write } = fed(entry({ title: "A", body: ["long"] }));
  feed.begin();
  vi.advanceTimersByTime(100);
  const { data } = entry({ title: "B", body: told[0]?.entry.data?.body });
  write(entry(data, { slug: "b" }));
  vi.advanceTimersByTime(100);
  write(entry({ title: "B", body: data.body }, { slug: "b" }), true);
  vi.advanceTimersByTime(100);
  expect(told.map(({ whole, entry, saved }) => ({ whole, entry, saved }))).toEqual([
    { whole: true, entry: entry({ title: "A", body: ["long"] }), saved: true },
    { whole: false, entry: { slug: "b", data: { title: "B" } }, saved: false },
    { whole: false, entry: {}, saved: true },
  ]);
});

it("says that a field has no value any more", () => {
  const { feed, seen, write } = fed(entry({ title: "A", summary: "gone soon" }));
  feed.begin();
  vi.advanceTimersByTime(100);
  write(entry({ title: "A" }));
  vi.advanceTimersByTime(100);
  expect(seen().data).toEqual({ title: "A" });
});

it("sends of a long text the blocks alone that are others, and says which of them are gone", () => {
  const blocks = Array.from({ length: 3_000 }, (_, n) => ({ _key: String(n) }));
  const { feed, told, write, seen } = fed(entry({ body: blocks }));
  feed.begin();
  vi.advanceTimersByTime(100);
  write(entry({ body: blocks.toSpliced(7, 2, { _key: "new" }) }));
  vi.advanceTimersByTime(1_000);
  expect(told[1]).toMatchObject({ entry: {}, parts: { body: { at: 7, drop: 2, items: [{ _key: "new" }] } } });
  expect(seen().data.body).toEqual(blocks.toSpliced(7, 2, { _key: "new" }));
});

it("sends nothing where nothing changed, and nothing from within a change", () => {
  const { feed, told, write, now } = fed(entry({ title: "A" }));
  feed.begin();
  vi.advanceTimersByTime(100);
  write(now(), true);
  write(entry({ title: "B" }));
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(0);
  expect(told).toHaveLength(2);
});

it("sends a letter within a moment, and of letters that come faster than the page shows them the last one", () => {
  const { feed, told, write, seen } = fed(entry({ title: "" }), () => 150);
  feed.begin();
  vi.advanceTimersByTime(200);
  for (let n = 1; n <= 60; n++) {
    write(entry({ title: "x".repeat(n) }));
    vi.advanceTimersByTime(10);
  }
  // 600 ms of letters, for a page that takes 150 ms to show each.
  expect(told.length).toBeLessThanOrEqual(6);
  vi.advanceTimersByTime(300);
  expect(seen().data.title).toBe("x".repeat(60));
});

it("goes on after a while when a page does not say what it shows", () => {
  const { feed, told, write } = fed(entry({ title: "" }), () => Infinity);
  feed.begin();
  vi.advanceTimersByTime(0);
  write(entry({ title: "x" }));
  vi.advanceTimersByTime(900);
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(200);
  expect(told).toHaveLength(2);
});

it("leaves a page with what was written last, whatever happened in which order", () => {
  const value = fc.option(fc.oneof(fc.string(), fc.array(fc.nat({ max: 2 }), { maxLength: 40, size: "max" })), { nil: undefined });
  const step = fc.record({ data: fc.dictionary(fc.constantFrom("title", "body", "__proto__", "constructor"), value), slug: fc.constantFrom("a", "b", null), pause: fc.integer({ min: 0, max: 80 }), isNew: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1 }), (steps, times) => {
      let n = 0;
      const { feed, write, seen, now } = fed(entry({}), () => times[n++ % times.length] ?? 0);
      feed.begin();
      for (const { data, slug, pause, isNew } of steps) {
        const kept = isNew ? {} : now().data;
        write(entry(Object.fromEntries(Object.entries({ ...kept, ...data }).filter(([, value]) => value !== undefined)), { slug }));
        vi.advanceTimersByTime(pause);
      }
      vi.advanceTimersByTime(10_000);
      const { data, ...rest } = seen();
      const { data: written, ...restWritten } = now();
      expect(rest).toEqual(restWritten);
      expect(Object.entries(data).sort()).toEqual(Object.entries(written).sort());
      feed.stop();
    }),
  );
});

const item = {
  id: "1", type: "notes", slug: "looms", status: "draft", data: { title: "On looms", count: 7 }, authorId: "me", createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z", publishedAt: null,
  liveRevisionId: null, locale: "en", translationGroup: "g", version: 3, hasDraft: true, liveData: { title: "secret" }, draftRevisionId: "r", scheduledAt: null,
} as unknown as Parameters<typeof entryOf>[0];

it("tells the site what a preview link would, and nothing else that the editor knows", () => {
  const told = entryOf(item, { title: "Weft", count: 8, entrySlug: "weft", publishedAt: null, seoTitle: "For searchers", seoNoIndex: null }, { hasSeo: true }, []);
  expect(told).toEqual({
    id: "1", type: "notes", slug: "weft", status: "draft", data: { title: "Weft", count: 8 }, authorId: "me", createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z", publishedAt: null,
    liveRevisionId: null, locale: "en", translationGroup: "g", seo: { title: "For searchers", description: null, image: null, canonical: null, noIndex: false },
  });
});

it("shows what the server has where half a number is typed, and nothing in a row", () => {
  const told = entryOf(item, { title: null, count: { $typed: "7x" }, rows: [{ name: "a", size: { $typed: "-" } }, { name: "b", size: 2 }], publishedAt: { $typed: "soon" }, entrySlug: null }, { hasSeo: false }, [{ slug: "rows", type: "repeater" }]);
  expect(told.data).toEqual({ count: 7, rows: [{ name: "a" }, { name: "b", size: 2 }] });
  expect([told.publishedAt, told.slug, told.seo]).toEqual([null, null, undefined]);
});
