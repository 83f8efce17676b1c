import fc from "fast-check";
import { expect, it } from "vitest";

import type { AnyEntry } from "~/api/types";

import { stepsBack, type PlanDeed } from "./steps";

/** What of an entry the steps are about. */
type Standing = Pick<AnyEntry, "status" | "hasDraft" | "scheduledAt" | "unpublishAt" | "publishedAt">;

const [NOW, NEW, SOON, LATER] = ["2026-11-25T09:00:00Z", "2026-11-26T09:00:00Z", "2026-11-27T09:00:00Z", "2026-11-28T09:00:00Z"];

/** What the server makes of a deed, as far as it is told here: `cms-domain/src/entry.rs`. */
function after(entry: Standing, deed: PlanDeed): Standing {
  switch (deed.kind) {
    case "publish":
      return { ...entry, status: "published", hasDraft: false, scheduledAt: null, publishedAt: entry.publishedAt ?? NOW };
    case "unpublish":
      return { ...entry, status: "draft", hasDraft: false, scheduledAt: null, unpublishAt: null };
    case "schedule":
      return { ...entry, status: entry.status === "published" ? "published" : "scheduled", scheduledAt: deed.at };
    case "unschedule":
      return entry.status === "scheduled" ? { ...entry, status: "draft", scheduledAt: null, unpublishAt: null } : { ...entry, scheduledAt: null };
    case "end":
      return { ...entry, unpublishAt: deed.at };
    case "undate":
      return { ...entry, publishedAt: null };
  }
}

const dates = { published: fc.constantFrom(null, NOW), end: fc.constantFrom(null, LATER) };
const standing: fc.Arbitrary<Standing> = fc.oneof(
  fc.record({ status: fc.constant("draft" as const), hasDraft: fc.constant(false), scheduledAt: fc.constant(null), unpublishAt: fc.constant(null), publishedAt: dates.published }),
  fc.record({ status: fc.constant("scheduled" as const), hasDraft: fc.constant(false), scheduledAt: fc.constant(SOON), unpublishAt: dates.end, publishedAt: dates.published }),
  fc.record({ status: fc.constant("published" as const), hasDraft: fc.boolean(), scheduledAt: fc.constantFrom(null, SOON), unpublishAt: dates.end, publishedAt: fc.constant(NOW) }),
);
const deed = fc.constantFrom<PlanDeed>({ kind: "publish" }, { kind: "unpublish" }, { kind: "schedule", at: NEW }, { kind: "unschedule" }, { kind: "end", at: LATER }, { kind: "end", at: null });

it("whatever is done and taken back leaves an entry as it was", () => {
  fc.assert(
    fc.property(standing, deed, (before, deed) => {
      const isPossible = before.status !== "draft" || !["unpublish", "unschedule", "end"].includes(deed.kind);
      fc.pre(isPossible && !(deed.kind === "unpublish" && before.status !== "published"));
      const steps = stepsBack(before as AnyEntry, deed, true);
      if (steps) expect(steps.reduce(after, after(before, deed))).toEqual(before);
    }),
  );
});

it("what takes unpublished changes along cannot be taken back", () => {
  const before = { status: "published", hasDraft: true, scheduledAt: null, unpublishAt: null, publishedAt: NOW } as AnyEntry;
  expect([stepsBack(before, { kind: "publish" }, true), stepsBack(before, { kind: "unpublish" }, true)]).toEqual([undefined, undefined]);
});

it("whoever may not date entries leaves the date that a publication gave", () => {
  const before = { status: "draft", hasDraft: false, scheduledAt: null, unpublishAt: null, publishedAt: null } as AnyEntry;
  expect(stepsBack(before, { kind: "publish" }, false)).toEqual([{ kind: "unpublish" }]);
});
