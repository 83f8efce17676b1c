import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), origin: "https://site.example" }));

let leave: (() => Promise<void>) | undefined;

/** As in a tab that was just opened, or reloaded. */
async function freshly(addresses: string[]) {
  await leave?.();
  vi.resetModules();
  const { SiteImage } = await import("./SiteImage");
  ({ unmount: leave } = await show(addresses.map((src) => <SiteImage key={src} src={src} alt={src} className="size-8" />)));
}

const shown = () => [...document.querySelectorAll("img")].map(({ src }) => src);

beforeEach(() => sessionStorage.clear());

it("sends for no image of another site before somebody asks for it, and then for all of that site, without a referrer", async () => {
  const [one, two, other] = ["https://images.example:8443/a.png", "https://images.example:8443/b.png", "//else.example/c.png"] as const;
  await freshly([one, two, other]);
  await expect.element(page.getByRole("button", { name: "Show image from images.example:8443" }).first()).toBeVisible();
  expect(shown()).toEqual([]);
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await expect.poll(shown).toEqual([one, two]);
  expect(document.querySelector("img")?.referrerPolicy).toBe("no-referrer");
  // The keyboard is where it was.
  expect(document.activeElement).toBe(document.querySelector("img"));
  await expect.element(page.getByRole("button", { name: "Show image from else.example" })).toBeVisible();
  await freshly([two, other]);
  await expect.poll(shown).toEqual([two]);
});

it.each(["/uploads/a.png", "https://site.example/a.png", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "blob:x"])("shows what is the site’s own at once: %s", async (src) => {
  await freshly([src]);
  await expect.poll(() => document.querySelectorAll("img").length).toBe(1);
});

it.each(["https://else.example/a.png", "//else.example/a.png", "/\\else.example/a.png", "HTTP://else.example/a.png", `${location.protocol}//${location.hostname}:1/a.png`])("does not take for the site’s own what is not: %s", async (src) => {
  await freshly([src]);
  await expect.element(page.getByRole("button", { name: /Show image from/ })).toBeVisible();
  expect(shown()).toEqual([]);
});
