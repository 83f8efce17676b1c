import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";

import { ApiError } from "~/api/errors";
import { show } from "~/testing/render";

import { ErrorState } from "./states";

const backOnline = () => dispatchEvent(new Event("online"));

it("asks again by itself, once for each time that nobody answered", async () => {
  const again = vi.fn();
  const unanswered = new ApiError({ status: 0, code: "NETWORK", message: "cannot be reached" });
  const { again: draw } = await show(<ErrorState error={unanswered} onRetry={again} />);
  await expect.element(page.getByRole("alert")).toBeVisible();
  backOnline();
  backOnline();
  expect(again).toHaveBeenCalledOnce();
  await draw(<ErrorState error={new ApiError({ status: 503, code: "UNAVAILABLE", message: "starts" })} onRetry={again} />);
  await expect.poll(() => again.mock.calls.length, { timeout: 8_000 }).toBe(2);
});

it("leaves what was refused to whoever reads of it", async () => {
  const again = vi.fn();
  await show(<ErrorState error={new ApiError({ status: 500, code: "INTERNAL_ERROR", message: "broken" })} onRetry={again} />);
  backOnline();
  expect(again).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Try again" }).click();
  expect(again).toHaveBeenCalledOnce();
});
