import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { pauseInTyping } from "~/lib/typing";
import { show } from "~/testing/render";

/** How long a pause in typing is waited for, in milliseconds. */
async function waited(): Promise<number> {
  const start = performance.now();
  await pauseInTyping();
  return performance.now() - start;
}

it("waits for whoever types, and not for whoever saves", async () => {
  await show(<input aria-label="Title" />);
  await page.getByRole("textbox", { name: "Title" }).click();
  await userEvent.keyboard("{Control>}s{/Control}");
  expect(await waited()).toBeLessThan(100);
  await userEvent.keyboard("a");
  expect(await waited()).toBeGreaterThan(500);
});
