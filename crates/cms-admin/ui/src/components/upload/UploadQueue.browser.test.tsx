import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { show } from "~/testing/render";

import { UploadQueue, type Upload } from "./UploadQueue";

const UPLOADS: Upload[] = [
  { id: "1", name: "a.jpg", size: 1_200_000, state: "sending", share: 0.4 },
  { id: "2", name: "b.jpg", size: 5_000, state: "paused", share: 0.5 },
  { id: "3", name: "c.jpg", size: 5_000, state: "failed", share: 0.5, problem: "The file is too large." },
  { id: "4", name: "d.jpg", size: 5_000, state: "done", share: 1 },
];

it("shows how far each file is, and offers what can be done with it", async () => {
  const done = vi.fn();
  const on = (name: string) => (id?: string) => void done(name, id);
  await show(<UploadQueue uploads={UPLOADS} onPause={on("pause")} onResume={on("resume")} onRetry={on("retry")} onCancel={on("cancel")} onClear={on("clear")} />);
  await expect.element(page.getByRole("progressbar", { name: "a.jpg" })).toHaveAttribute("aria-valuenow", "40");
  await expect.element(page.getByText("The file is too large.")).toBeVisible();
  for (const name of ["Pause a.jpg", "Resume b.jpg", "Try c.jpg again", "Cancel a.jpg", "Clear finished"]) await page.getByRole("button", { name }).click();
  expect(done.mock.calls.map(([name]) => name as string)).toEqual(["pause", "resume", "retry", "cancel", "clear"]);
  await expect.element(page.getByRole("button", { name: "Cancel d.jpg" })).not.toBeInTheDocument();
});

it("sums up, and survives shares that make no sense", async () => {
  await show(<UploadQueue uploads={[{ id: "1", name: "a", size: 0, state: "sending", share: 7 }]} onRetry={vi.fn()} onCancel={vi.fn()} onClear={vi.fn()} />);
  await expect.element(page.getByText("0 of 1 uploaded")).toBeVisible();
  await expect.element(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "100");
});
