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
    method === "PUT" && "summary" in (data as object)
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
