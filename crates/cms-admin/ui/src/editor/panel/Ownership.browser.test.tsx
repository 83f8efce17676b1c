import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { chooseRegion } from "~/lib/region";

import { opened, Server, showEditor } from "../testing/opened";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const PUBLISHED = "2026-03-01T11:00:00Z";

beforeEach(() => {
  chooseRegion("GB");
  localStorage.setItem("cms-editor-sections", JSON.stringify({ ownership: true }));
});

async function open() {
  const server = new Server({ title: "Looms" }, { status: "published", publishedAt: PUBLISHED });
  const session = opened(server);
  await page.viewport(1400, 900);
  await showEditor(session);
  await expect.element(date()).toHaveValue("01/03/2026");
  return { server, session };
}

const date = () => page.getByLabelText("Date", { exact: true });

it.each([
  ["no date", "31/02/2026", "UNREADABLE"],
  ["emptied", "", "REQUIRED"],
])("says of a publication date that is %s that it is none, and sends nothing of it", async (_, typed, code) => {
  const { server, session } = await open();
  if (typed === "") await userEvent.clear(page.getByLabelText("Time", { exact: true }));
  await (typed === "" ? userEvent.clear(date()) : userEvent.fill(date(), typed));
  expect(await session.save()).toBe(false);
  expect(server.sent.filter(({ method }) => method === "PUT")).toEqual([]);
  expect(session.state().issues).toMatchObject([{ path: "publishedAt", code }]);
  await expect.element(date()).toHaveAttribute("aria-invalid", "true");
  // It is among the other mistakes, which lead to it.
  await page.getByRole("region", { name: "What needs a look" }).getByRole("button", { name: "Publication date" }).click();
  await expect.element(date()).toHaveFocus();
  await userEvent.fill(date(), "02/03/2026");
  await userEvent.fill(page.getByLabelText("Time", { exact: true }), "12:00");
  expect(await session.save()).toBe(true);
  expect(server.item.publishedAt).toBe("2026-03-02T11:00:00Z");
});

it("keeps an unreadable publication date while its section is closed, which opens for it", async () => {
  const { session } = await open();
  await userEvent.fill(date(), "tomorrowish");
  await page.getByRole("button", { name: "Author and dates" }).click();
  expect(await session.save()).toBe(false);
  await expect.element(date()).toHaveValue("tomorrowish 12:00");
  await userEvent.clear(page.getByLabelText("Time", { exact: true }));
  await userEvent.fill(date(), "02/03/2026");
  await userEvent.fill(page.getByLabelText("Time", { exact: true }), "12:00");
  expect(await session.save()).toBe(true);
});
