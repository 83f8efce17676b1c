import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { Dialog } from "./Dialog";

it.each([
  ["its first control", false],
  ["a control of its own choice", true],
])("gives the focus back that it took for %s", async (_, isChosen) => {
  function Sample() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Ask
        </button>
        <Dialog open={isOpen} onOpenChange={setOpen} title="Question">
          <input aria-label="Answer" autoFocus={isChosen} />
        </Dialog>
      </>
    );
  }
  await show(<Sample />);
  await page.getByRole("button", { name: "Ask" }).click();
  await expect.poll(() => document.activeElement?.closest("[role=dialog]")).not.toBeNull();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "Ask" })).toHaveFocus();
});

it("gives it back to where it was before the dialog that it took the place of", async () => {
  function Sample() {
    const [open, setOpen] = useState<"first" | "second">();
    return (
      <>
        <button type="button" onClick={() => setOpen("first")}>
          Ask
        </button>
        <Dialog open={open === "first"} onOpenChange={() => setOpen(undefined)} title="First">
          <button type="button" onClick={() => setOpen("second")}>
            Go on
          </button>
        </Dialog>
        {open === "second" && (
          <Dialog open onOpenChange={() => setOpen(undefined)} title="Second">
            <input aria-label="Answer" />
          </Dialog>
        )}
      </>
    );
  }
  await show(<Sample />);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect.element(page.getByLabelText("Answer")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "Ask" })).toHaveFocus();
});

it("gives it to the heading where it was nowhere before", async () => {
  function Sample() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        <h1 tabIndex={-1} data-page-heading>
          Screen
        </h1>
        <Dialog open={isOpen} onOpenChange={setOpen} title="Welcome">
          <input aria-label="Answer" />
        </Dialog>
      </>
    );
  }
  await show(<Sample />);
  await expect.element(page.getByLabelText("Answer")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("heading", { name: "Screen" })).toHaveFocus();
});
