import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import type { Entry } from "~/api/types";
import { me } from "~/session/session";
import type { Selecting } from "~/table/selection";
import { freshQueries, show } from "~/testing/render";

import { BulkBar } from "./BulkBar";

const onChoose = vi.fn();
const all = vi.fn();

async function draw(width: number) {
  await page.viewport(width, 700);
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "me", permissions: ["content:publish_any", "content:delete_any", "content:edit_any"] } as never);
  const selecting = { selection: { kind: "these" }, count: 3, isEmpty: false, all, clear: vi.fn() } as unknown as Selecting<Entry>;
  await show(<BulkBar selecting={selecting} total={120} canSchedule onChoose={onChoose} />, { queries });
}

const bar = () => page.getByRole("region", { name: "Selection" });
const names = () => bar().getByRole("button").elements().map((button) => button.textContent || button.getAttribute("aria-label"));

beforeEach(() => vi.clearAllMocks());

it("is one row on a phone, with the first deed in sight and all others in a menu", async () => {
  await draw(360);
  expect(names()).toEqual(["Publish", "More", "Clear the selection"]);
  expect(bar().element().getBoundingClientRect().height).toBeLessThan(64);
  await page.getByRole("button", { name: "More" }).click();
  expect(page.getByRole("menuitem").elements().map(({ textContent }) => textContent)).toEqual(["Select all 120 that match", "Unpublish", "Schedule…", "Change author…", "Move to trash…"]);
  await page.getByRole("menuitem", { name: "Select all 120 that match" }).click();
  expect(all).toHaveBeenCalledExactlyOnceWith(120);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Move to trash…" }).click();
  expect(onChoose).toHaveBeenCalledExactlyOnceWith("trash");
});

it("has all deeds in sight where there is room", async () => {
  await draw(1200);
  expect(names()).toEqual(["Select all 120 that match", "Publish", "Unpublish", "Schedule…", "Change author…", "Move to trash…", "Clear the selection"]);
});
