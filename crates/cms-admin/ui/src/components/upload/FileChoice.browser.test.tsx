import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { FileChoice } from "./FileChoice";

it("says what belongs there, and hands on what is chosen or dropped", async () => {
  const chosen = vi.fn<(file: File | undefined) => void>();
  const { container } = await show(<FileChoice file={undefined} onChange={chosen} accept=".json" hint="A model as JSON." />);
  await expect.element(page.getByText("A model as JSON.")).toBeVisible();
  await userEvent.upload(page.getByLabelText("Choose a file, or drop one here"), new File(["{}"], "a.json"));
  const transfer = new DataTransfer();
  transfer.items.add(new File(["[]"], "b.json"));
  container.querySelector("[type=file]")?.parentElement?.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
  expect(chosen.mock.calls.map(([file]) => file?.name)).toEqual(["a.json", "b.json"]);
});

it("names the file and lets go of it, unless it is on its way", async () => {
  const chosen = vi.fn<(file: File | undefined) => void>();
  const file = new File(["12345"], "model.json");
  const { again } = await show(<FileChoice file={file} onChange={chosen} accept=".json" hint="" />);
  await expect.element(page.getByText("model.json")).toBeVisible();
  await page.getByRole("button", { name: "Remove the file" }).click();
  expect(chosen.mock.calls).toEqual([[undefined]]);
  await again(<FileChoice file={file} onChange={chosen} accept=".json" hint="" disabled />);
  await expect.element(page.getByRole("button", { name: "Remove the file" })).not.toBeInTheDocument();
});
