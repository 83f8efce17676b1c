import { useState } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { PanelSection } from "./PanelSection";
import { SidePanel } from "./SidePanel";

function Sample() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex">
      <button type="button" onClick={() => setOpen(true)}>
        Show
      </button>
      <SidePanel open={isOpen} onOpenChange={setOpen} title="Entry" widthKey="test">
        <PanelSection name="test" title="Publish">
          <input aria-label="Slug" />
        </PanelSection>
      </SidePanel>
    </div>
  );
}

beforeEach(() => localStorage.clear());
afterEach(() => page.viewport(1280, 800));

it.each([
  ["beside the content", 1280],
  ["above the content", 360],
])("takes the focus %s, and gives it back", async (_, width) => {
  await page.viewport(width, 800);
  await show(<Sample />);
  await page.getByRole("button", { name: "Show" }).click();
  expect(document.activeElement?.closest("aside, [role=dialog]")).not.toBeNull();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("Publish")).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Show" })).toHaveFocus();
});

it("folds its sections, keeps what was typed in them, and remembers it", async () => {
  await page.viewport(1280, 800);
  const screen = await show(<Sample />);
  await page.getByRole("button", { name: "Show" }).click();
  await userEvent.fill(page.getByLabelText("Slug"), "hello");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect.element(page.getByLabelText("Slug")).not.toBeVisible();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect.element(page.getByLabelText("Slug")).toHaveValue("hello");
  await page.getByRole("button", { name: "Publish" }).click();
  await screen.unmount();
  await show(<Sample />);
  await page.getByRole("button", { name: "Show" }).click();
  await expect.element(page.getByRole("button", { name: "Publish" })).toHaveAttribute("aria-expanded", "false");
});

it.each([
  ["en", "{ArrowLeft}", "21"],
  ["ar", "{ArrowRight}", "21"],
  ["en", "{Home}", "16"],
])("is made wider by keys in %s", async (language, keys, width) => {
  await page.viewport(1280, 800);
  await show(<Sample />, { language });
  await page.getByRole("button", { name: "Show" }).click();
  document.querySelector<HTMLElement>('[role="separator"]')?.focus();
  await userEvent.keyboard(keys);
  await expect.element(page.getByRole("separator")).toHaveAttribute("aria-valuenow", width);
  document.documentElement.dir = "ltr";
});
