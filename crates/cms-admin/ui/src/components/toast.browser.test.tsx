import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { show } from "~/testing/render";

import { Dialog } from "./Dialog";
import { toast } from "./toast";

const undo = vi.fn();
const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

beforeEach(async () => {
  undo.mockClear();
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]')) button.click();
  await wait(0);
});

it("offers to take something back until the time has run out", async () => {
  await show(<p>Page</p>);
  toast.undo("Moved.", undo, 1_000);
  await expect.element(page.getByText("Moved.", { exact: true })).toBeVisible();
  await expect.poll(() => document.body.textContent, { timeout: 4_000 }).not.toContain("Moved.");
  expect(undo).not.toHaveBeenCalled();
});

it("takes it back once, and is gone", async () => {
  await show(<p>Page</p>);
  toast.undo("Moved.", undo, 5_000);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(undo).toHaveBeenCalledOnce();
  await expect.element(page.getByText("Moved.", { exact: true })).not.toBeInTheDocument();
});

it("waits while it is pointed at", async () => {
  await show(<p>Page</p>);
  toast.undo("Moved.", undo, 800);
  await page.getByText("Moved.", { exact: true }).hover();
  await wait(1_500);
  await expect.element(page.getByText("Moved.", { exact: true })).toBeVisible();
  await page.getByText("Page").hover();
  await expect.poll(() => document.body.textContent, { timeout: 4_000 }).not.toContain("Moved.");
});

it("stays above a dialog, and waits for its end", async () => {
  const screen = await show(
    <Dialog open onOpenChange={() => undefined} title="Question">
      <button type="button">Answer</button>
    </Dialog>,
  );
  toast.undo("Moved.", undo, 600);
  await wait(1_200);
  const button = page.getByRole("button", { name: "Undo" });
  await button.click();
  expect(undo).toHaveBeenCalledOnce();
  await expect.element(page.getByText("Question")).toBeVisible();
  await screen.unmount();
});

it("takes the newest of one thing back, and of others what was done to them", async () => {
  await show(<p>Page</p>);
  const newest = vi.fn();
  toast.undo("One moved.", undo, 5_000, "one");
  toast.undo("Other moved.", undo, 5_000, "other");
  toast.undo("One moved again.", newest, 5_000, "one");
  await expect.element(page.getByText("One moved.", { exact: true })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Undo" }).last().click();
  expect([newest.mock.calls.length, undo.mock.calls.length]).toEqual([1, 0]);
  await expect.element(page.getByText("Other moved.", { exact: true })).toBeVisible();
});
