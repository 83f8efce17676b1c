import { expect, it } from "vitest";

import { newestUntil } from "./since";

const revision = (id: string, updatedAt: string) => ({ id, collection: "notes", entryId: "e", data: {}, slug: null, authorId: null, authorName: null, autosave: false, createdAt: updatedAt, updatedAt });
const revisions = [revision("c", "2026-03-03T10:00:00Z"), revision("b", "2026-02-02T10:00:00.5Z"), revision("a", "2026-01-01T10:00:00Z")];

it("a translation is compared with what was there when it was saved", () => {
  expect(newestUntil(revisions, "2026-02-20T00:00:00Z")?.id).toBe("b");
  expect(newestUntil(revisions, "2026-02-02T11:00:00.5+01:00")?.id).toBe("b");
  expect(newestUntil(revisions, "2026-04-01T00:00:00Z")?.id).toBe("c");
});

it("what was not there yet when it was saved is compared with nothing", () => {
  expect(newestUntil(revisions, "2025-12-31T00:00:00Z")).toBeUndefined();
  expect(newestUntil([], "2026-04-01T00:00:00Z")).toBeUndefined();
});
