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
