import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { openJournal } from "~/editing/journal";

import { journalName } from "./model/kept";
import { ME, opened, Server, showEditor, TITLE } from "./testing/opened";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

beforeEach(() => page.viewport(1400, 900));

/** What a tab that is gone left of an entry. */
async function left(server: Server, values: Record<string, unknown>) {
  const journal = openJournal(journalName(ME, "notes", { id: server.item.id }));
  const base = { values: { ...server.item.data, entrySlug: "looms", publishedAt: null }, rev: String(server.rev) };
  await journal.write({ base, values: { ...base.values, ...values } });
  journal.close();
  // The lock is given back a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const banner = () => page.getByText("Text of a field that was removed");

it("shows what a tab left of a field that was removed, sends none of it, and publishes the rest", async () => {
  const server = new Server({ title: "Looms", summary: "old" });
  await left(server, { title: "Looms and weft", summary: "Words of the summary" });
  server.change({ summary: null });
  const session = opened(server, [TITLE]);
  await showEditor(session);
  await page.getByRole("button", { name: "Restore" }).click();
  await expect.element(banner()).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "summary" })).toHaveValue("Words of the summary");
  await expect.poll(() => server.item.data).toEqual({ title: "Looms and weft" });
  expect(await session.save()).toBe(true);
  expect(JSON.stringify(server.sent)).not.toContain("Words of the summary");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect.element(banner()).not.toBeInTheDocument();
  await session.close();
});

it("shows what was written in a field that is removed while the entry is open, which goes from the form", async () => {
  const server = new Server({ title: "Looms", summary: "old" });
  server.refusal = (method, _, { data }) =>
    method === "PUT" && JSON.stringify(data).includes("summary")
      ? { status: 400, code: "VALIDATION_ERROR", details: { issues: [{ path: "data.summary", code: "UNKNOWN_FIELD", message: "no such field" }] } }
      : undefined;
  const session = opened(server);
  await showEditor(session);
  await userEvent.fill(page.getByLabelText("Summary"), "Words of the summary");
  await userEvent.fill(page.getByLabelText("Title"), "Looms and weft");
  await expect.element(banner()).toBeVisible();
  await expect.poll(() => server.item.data.title).toBe("Looms and weft");
  await expect.element(page.getByRole("textbox", { name: "Summary" })).toHaveAttribute("readonly");
  await expect.element(page.getByText(/^Saved/).first()).toBeVisible();
  await session.close();
  // It is there again, for whoever comes back.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const again = opened(server, [TITLE]);
  await showEditor(again);
  await expect.element(banner().last()).toBeVisible();
  expect(page.getByText("You have changes that were not saved").query()).toBeNull();
  await again.close();
});

const type = (text: string) => userEvent.fill(page.getByLabelText("Summary"), text);
const save = (text: string) => expect.element(page.getByRole("status").filter({ hasText: text }).first()).toBeVisible();

it("says that an entry was moved to the trash under somebody’s hands, and goes on saving once they took it out", async () => {
  const server = new Server({ title: "Looms" });
  const session = opened(server);
  await showEditor(session);
  server.place = "trash";
  await type("Words of the summary");
  await save("Not saved: moved to the trash, kept in this browser");
  await expect.element(page.getByText("This was moved to the trash")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Summary" }).first()).toHaveValue("Words of the summary");
  await page.getByRole("button", { name: "Take it out of the trash" }).click();
  await expect.poll(() => server.item.data.summary).toBe("Words of the summary");
  await expect.element(page.getByText("This was moved to the trash")).not.toBeInTheDocument();
  await save("Saved");
  await session.close();
});

it("says so to whoever only has it open, as soon as the server tells, and also that it is back", async () => {
  const server = new Server({ title: "Looms" });
  const session = opened(server);
  await showEditor(session);
  server.place = "trash";
  session.hear(null);
  await save("Moved to the trash");
  await expect.element(page.getByText("Nothing can be changed in it as long as it is there.")).toBeVisible();
  expect(page.getByRole("button", { name: "Publish", exact: true }).query()).toBeNull();
  server.place = "there";
  server.change({});
  session.hear({ id: server.item.id, version: server.rev, holder: null });
  await expect.element(page.getByText("This was moved to the trash")).not.toBeInTheDocument();
  await session.close();
});

it("offers what was written in an entry that was deleted, and gives it up when asked to", async () => {
  const server = new Server({ title: "Looms" });
  const session = opened(server);
  await showEditor(session, ["content:edit_any", "content:publish_any", "content:create"]);
  server.place = "nowhere";
  await type("Words of the summary");
  await save("Not saved: deleted, kept in this browser");
  await expect.element(page.getByText("This was deleted")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Start a new entry with it" })).toBeVisible();
  expect(page.getByRole("button", { name: "Take it out of the trash" }).query()).toBeNull();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await save("Deleted");
  await expect.element(page.getByText("It cannot be brought back.")).toBeVisible();
  await session.close();
});

it("tells a contributor whose entry is published while they write, and where their words are", async () => {
  const server = new Server({ title: "Looms" });
  const session = opened(server);
  await showEditor(session, ["content:create", "content:edit_own_draft"]);
  server.change({}, { status: "published", publishedAt: "2026-03-01T11:00:00Z" });
  server.refusal = (method) => (method === "PUT" && server.item.status === "published" ? { status: 403, code: "INSUFFICIENT_PERMISSIONS" } : undefined);
  await type("Words of the summary");
  await save("Not saved: published or scheduled meanwhile, kept in this browser");
  await expect.element(page.getByText("You can only read this")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Summary" }).first()).toHaveValue("Words of the summary");
  await expect.element(page.getByRole("button", { name: "Copy Summary" })).toBeVisible();
  // They may change it again.
  server.change({}, { status: "draft", publishedAt: null });
  session.hear({ id: server.item.id, version: server.rev, holder: null });
  await expect.poll(() => server.item.data.summary).toBe("Words of the summary");
  await expect.element(page.getByText("You can only read this")).not.toBeInTheDocument();
  await session.close();
});

it("offers what a tab left of an entry that somebody may only read by now, to be copied", async () => {
  const server = new Server({ title: "Looms" }, { status: "published", publishedAt: "2026-03-01T11:00:00Z" });
  await left(server, { summary: "Words of the summary" });
  const session = opened(server);
  await showEditor(session, ["content:create", "content:edit_own_draft"]);
  await expect.element(page.getByText("You have changes that were not saved")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Copy Summary" })).toBeVisible();
  expect(page.getByRole("button", { name: "Restore" }).query()).toBeNull();
  await session.close();
});

it("takes up what others did during a save, right after it", async () => {
  const server = new Server({ title: "Looms" });
  const session = opened(server);
  let answer: () => void = () => undefined;
  server.late = new Promise((resolve) => (answer = resolve));
  session.change({ summary: "Words" });
  const saved = session.save();
  await expect.poll(() => server.item.data.summary).toBe("Words");
  server.change({ title: "Looms of theirs" });
  session.hear({ id: server.item.id, version: server.rev, holder: null });
  answer();
  expect(await saved).toBe(true);
  await expect.poll(() => session.state().values.title).toBe("Looms of theirs");
  await session.close();
});
