import { afterEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { chooseRegion } from "~/lib/region";
import { show } from "~/testing/render";

import { RegionCard } from "./RegionCard";

afterEach(() => chooseRegion(undefined));

it("writes dates and numbers as in the region that is chosen, at once and after a reload", async () => {
  await show(<RegionCard />);
  await userEvent.selectOptions(page.getByRole("combobox"), "United States");
  await expect.element(page.getByText(/As in Nov 25, 2026/)).toBeVisible();
  await userEvent.selectOptions(page.getByRole("combobox"), "United Kingdom");
  await expect.element(page.getByText(/As in 25 Nov 2026, 14:30 and 1,234\.5/)).toBeVisible();
  await userEvent.selectOptions(page.getByRole("combobox"), "Germany");
  await expect.element(page.getByText(/1\.234,5/)).toBeVisible();
  expect(localStorage.getItem("cms-region")).toBe("DE");
});
