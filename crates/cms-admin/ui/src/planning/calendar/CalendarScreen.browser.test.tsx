// What an address may ask of the calendar, over a server that a test makes up.

import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { collections } from "~/content/collections";
import { me } from "~/session/session";
import { pretend } from "~/testing/server";
import { freshQueries, show } from "~/testing/render";

import type { CalendarSearch } from "../question";
import { CalendarScreen } from "./CalendarScreen";

vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));
afterEach(() => vi.restoreAllMocks());

function draw(search: CalendarSearch, onSearch = (): void => undefined) {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "me", permissions: [] } as never);
  queries.setQueryData(["site"], { timeZone: "Europe/Berlin", locales: ["en"] });
  queries.setQueryData(collections.queryKey, [{ slug: "notes", label: "Notes", supports: [], fields: [] }] as never);
  const asked = pretend(({ path }) => (path === "/calendar" ? { items: [], nextCursor: null } : path === "/models" ? { items: [{ slug: "notes", label: "Notes", supports: [], fields: [] }] } : undefined));
  return show(<CalendarScreen search={search} onSearch={onSearch} />, { queries }).then(() => asked);
}

it.each(["0001-01-01", "9999-12-31"])("an address that asks for %s is answered with a way back to today", async (day) => {
  const onSearch = vi.fn();
  const asked = await draw({ day, view: "week" }, onSearch);
  await expect.element(page.getByText("The calendar does not go this far")).toBeVisible();
  expect(asked.filter(({ path }) => path === "/calendar")).toEqual([]);
  await page.getByRole("button", { name: "Today" }).click();
  expect(onSearch).toHaveBeenCalledWith({ view: "week", day: undefined }, true);
});

it("the last days that are shown ask the server for what it knows", async () => {
  await page.viewport(1280, 800);
  const asked = await draw({ day: "9998-12-31" });
  await expect.element(page.getByRole("heading", { name: "December 9998" })).toBeVisible();
  await expect.poll(() => asked.filter(({ path }) => path === "/calendar").every(({ query }) => /^\d{4}-/.test(query.get("to") ?? ""))).toBe(true);
});
