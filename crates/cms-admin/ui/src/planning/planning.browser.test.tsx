import { parseDate } from "@internationalized/date";
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { AnyEntry, CalendarItem } from "~/api/types";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import { BoardCard } from "./board/BoardCard";
import { Byline } from "./Byline";
import { Agenda } from "./calendar/Agenda";
import { Chip } from "./calendar/Chip";
import { spanOf } from "./days";
import type { Now } from "./keep";
import { NamesProvider, type Names } from "./names";
import { PlannerProvider } from "./PlannerProvider";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const AT = "2040-03-24T08:00:00.000Z";
const ENTRY: AnyEntry = {
  id: "01M8GG5VSAHNB9F5KXC295W85M", type: "notes", title: "Moby Dick", slug: "moby-dick", status: "draft", hasDraft: false, authorId: "ada", locale: "de",
  createdAt: AT, updatedAt: AT, publishedAt: null, scheduledAt: null, unpublishAt: null, _rev: "r1",
};
const SCHEDULED: AnyEntry = { ...ENTRY, status: "scheduled", scheduledAt: AT };

const NAMES: Names = {
  collections: [],
  collectionOf: (slug) => ({ slug, label: "Notes", supports: ["scheduling"] }) as never,
  authors: [],
  authorOf: (id) => (id === "ada" ? { id, name: "Ada Lovelace", email: "ada@example.com" } : undefined),
  locales: ["en", "de"],
};

/** What was sent, and how the server answers to it. */
const server = { sent: [] as string[], status: 200, code: "", item: {} as object };

beforeEach(() => {
  Object.assign(server, { sent: [], status: 200, code: "", item: {} });
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]')) button.click();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { method, url } = request as Request;
    const path = new URL(url).pathname.replace(/.*\/(notes\/\w+|models\/notes)/, "");
    const body = method === "GET" || method === "DELETE" ? "" : await (request as Request).clone().text();
    server.sent.push(`${method} ${path} ${/"_rev":"(\w+)"/.exec(body)?.[1] ?? new URL(url).searchParams.get("_rev") ?? ""}`.trim());
    const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    if (path === "" && url.includes("models")) return answer(200, { data: { item: { slug: "notes", label: "Notes", titleField: "title", fields: [{ slug: "title", type: "string" }] } } });
    if (server.status !== 200 && method !== "GET") return answer(server.status, { error: { code: server.code, message: "made for the test" } });
    return answer(200, { data: { item: { ...ENTRY, data: { title: "Moby Dick, theirs" }, ...server.item }, _rev: `r${server.sent.length + 1}` } });
  });
});

async function draw(drawn: React.ReactNode, { permissions = ["content:publish_any"], names = NAMES }: { permissions?: string[]; names?: Names } = {}) {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "me", permissions } as never);
  queries.setQueryData(["site"], { timeZone: "Europe/Berlin", locales: ["en", "de"] });
  const place = vi.fn<(now: Now) => Promise<void>>(() => Promise.resolve());
  await show(
    <NamesProvider names={names}>
      <PlannerProvider place={place}>{drawn}</PlannerProvider>
    </NamesProvider>,
    { queries },
  );
  return place;
}

const choose = async (words: string) => {
  await page.getByRole("button", { name: "Actions for Moby Dick" }).click();
  await page.getByRole("menuitem", { name: words }).click();
};

it("a line says whose an entry is, and its language where there are several", async () => {
  await draw(<Byline entry={ENTRY} />);
  expect(document.body.textContent).toContain("Notes·Ada Lovelace·de");
});

it("a site of one language does not name it, and nobody is named who is not known", async () => {
  await draw(<Byline entry={{ ...ENTRY, authorId: null }} />, { names: { ...NAMES, locales: ["de"] } });
  expect(document.querySelector("p")?.textContent).toBe("Notes");
});

it("what is done is done over the state that was seen, and taken back over the one that came of it", async () => {
  server.item = { status: "published", publishedAt: AT };
  const place = await draw(<BoardCard entry={ENTRY} />);
  await choose("Publish");
  await expect.poll(() => place.mock.calls[0]?.[0].entry?.status).toBe("published");
  server.item = { status: "draft" };
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => server.sent).toEqual(["POST /publish r1", "POST /unpublish r2", "PUT  r3"]);
  await expect.poll(() => place.mock.calls.at(-1)?.[0].entry?.status).toBe("draft");
});

it("whoever may not date entries takes back no date", async () => {
  server.item = { status: "published", publishedAt: AT };
  await draw(<BoardCard entry={{ ...ENTRY, authorId: "me" }} />, { permissions: ["content:publish_own"] });
  await choose("Publish");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => server.sent).toEqual(["POST /publish r1", "POST /unpublish r2"]);
});

it("what somebody else changed is shown as it is now, with what was not done to it", async () => {
  Object.assign(server, { status: 409, code: "CONFLICT" });
  const place = await draw(<BoardCard entry={ENTRY} />);
  await choose("Publish");
  await expect.element(page.getByRole("alert")).toHaveTextContent("It was changed in the meantime. This is how it stands now.");
  expect(place.mock.calls[0]?.[0].entry?.title).toBe("Moby Dick, theirs");
});

it("what is gone goes, and is said to be gone", async () => {
  Object.assign(server, { status: 404, code: "NOT_FOUND" });
  const place = await draw(<BoardCard entry={ENTRY} />);
  await choose("Publish");
  await expect.poll(() => place.mock.calls[0]?.[0]).toEqual({ id: ENTRY.id, type: "notes", entry: undefined });
  await expect.element(page.getByText("“Moby Dick” does not exist any more.").first()).toBeVisible();
});

it("what cannot be taken back is asked before", async () => {
  await draw(<BoardCard entry={{ ...ENTRY, status: "published", hasDraft: true, publishedAt: AT }} />);
  await choose("Publish changes…");
  await expect.element(page.getByRole("alertdialog")).toHaveTextContent("They take the place of what is public now.");
  expect(server.sent).toEqual([]);
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish changes" }).click();
  await expect.poll(() => server.sent).toEqual(["POST /publish r1"]);
  await expect.element(page.getByText("The changes are public.").first()).toBeVisible();
  expect(page.getByRole("button", { name: "Undo" }).elements()).toEqual([]);
});

it("who may not publish can neither drag a card nor choose anything but to open it", async () => {
  await draw(<BoardCard entry={ENTRY} />, { permissions: [] });
  expect(document.querySelector("article")?.getAttribute("draggable")).not.toBe("true");
  await page.getByRole("button", { name: "Actions for Moby Dick" }).click();
  expect(page.getByRole("menuitem").elements().map(({ textContent }) => textContent)).toEqual(["Open"]);
});

it("a line of the calendar says when what happens, by the clocks of the site, and opens by keys to what can be done", async () => {
  const item: CalendarItem = { kind: "publish", at: AT, entry: SCHEDULED };
  await draw(<Chip item={item} isLarge={false} />);
  const chip = page.getByRole("button", { name: "Will be published 9:00 AM Moby Dick" });
  await expect.element(chip).toBeVisible();
  (chip.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const details = page.getByRole("dialog", { name: "Moby Dick" });
  await expect.element(details).toHaveTextContent("Ada Lovelace");
  expect(details.getByRole("button").elements().map(({ textContent }) => textContent)).toEqual(["Publish now", "Move to another day…", "Unschedule", "Unpublish later…"]);
  await details.getByRole("button", { name: "Unschedule" }).click();
  await expect.poll(() => server.sent).toEqual(["DELETE /schedule r1"]);
});

it("nothing is planned for a time at which it is over", async () => {
  const item: CalendarItem = { kind: "publish", at: AT, entry: { ...SCHEDULED, unpublishAt: "2040-03-25T08:00:00.000Z" } };
  await draw(<Chip item={item} isLarge />);
  await page.getByRole("button", { name: /Moby Dick/ }).click();
  await page.getByRole("button", { name: "Move to another day…" }).click();
  await userEvent.fill(page.getByRole("textbox", { name: "Date" }), "3/30/2040");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("button", { name: /Moby Dick It did not work\./ })).toBeVisible();
  expect(server.sent).toEqual([]);
});

it("a line of the agenda is hit by a finger on a phone", async () => {
  await page.viewport(360, 740);
  const span = spanOf("agenda", parseDate("2040-03-24"), "en-GB", "Europe/Berlin");
  await draw(<Agenda span={span} items={[{ kind: "publish", at: AT, entry: SCHEDULED }]} hasMore={false} isComing={false} onMore={() => undefined} />);
  const targets = [page.getByRole("link", { name: "Moby Dick" }), page.getByRole("button", { name: "Actions for Moby Dick" })].map((target) => target.element().getBoundingClientRect());
  for (const { width, height } of targets) {
    expect(width).toBeGreaterThanOrEqual(24);
    expect(height).toBeGreaterThanOrEqual(24);
  }
  const [link, menu] = targets;
  expect(link?.right).toBeLessThanOrEqual(menu?.left ?? 0);
});
