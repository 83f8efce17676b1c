import { useState } from "react";
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { PickerField, PickerListField } from "./PickerField";
import { knownSource, type Option, type Source } from "./source";

const FEW: Option[] = ["Ada", "Émile", "Grace"].map((label) => ({ id: label.toLowerCase(), label }));
const options = () => [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent);
const active = () => document.getElementById(document.querySelector('[role="combobox"]')?.getAttribute("aria-activedescendant") ?? "")?.textContent;

function One({ source = knownSource(["few"], FEW), ...more }: Partial<Parameters<typeof PickerField<Option>>[0]>) {
  const [value, setValue] = useState<Option | null>(null);
  return <PickerField fieldLabel="Author" label="Choose an author" optional source={source} value={value} onChange={setValue} {...more} />;
}

it("finds without regard to case and accents, and chooses by keys", async () => {
  await show(<One />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await userEvent.keyboard("emi");
  await expect.poll(options).toEqual(["Émile"]);
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("button", { name: /^Author.*Émile$/ })).toHaveFocus();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.element(page.getByRole("button", { name: /^Author.*Choose an author$/ })).toBeVisible();
});

it("goes round with the arrows and passes over what cannot be chosen", async () => {
  await show(<One source={knownSource(["off"], [{ id: "x", label: "Off", disabled: true }, ...FEW])} />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await expect.poll(active).toBe("Ada");
  await userEvent.keyboard("{ArrowUp}");
  await expect.poll(active).toBe("Grace");
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(active).toBe("Ada");
});

it("asks once for what was typed in one go, and takes no answer to an older question", async () => {
  const load = vi.fn(async ({ text }: { text: string }) => {
    await new Promise((resolve) => setTimeout(resolve, text === "a" ? 400 : 20));
    return { items: [{ id: text, label: `found ${text}` }] };
  });
  await show(<One source={{ key: ["slow"], load }} />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await expect.poll(options).toEqual(["found "]);
  await userEvent.keyboard("abc");
  await expect.poll(options).toEqual(["found abc"]);
  expect(load.mock.calls.map(([{ text }]) => text)).toEqual(["", "abc"]);
});

it("holds only what can be seen of ten thousand, and loads on at the end", async () => {
  const many: Source<Option> = {
    key: ["many"],
    load: ({ cursor }) => {
      const from = Number(cursor ?? 0);
      return Promise.resolve({ items: Array.from({ length: 1000 }, (_, n) => ({ id: String(from + n), label: `Entry ${from + n}` })), nextCursor: from < 9000 ? String(from + 1000) : null });
    },
  };
  await show(<One source={many} />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await expect.poll(active).toBe("Entry 0");
  expect(options().length).toBeLessThan(40);
  await userEvent.keyboard("{ArrowUp}");
  await expect.poll(active).toMatch(/^Entry \d?999$/);
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(active).toMatch(/^Entry (0|\d000)$/);
  expect(options().length).toBeLessThan(40);
});

it("offers what was chosen last first", async () => {
  localStorage.removeItem("cms-picker-test");
  await show(<One recentKey="test" />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await page.getByRole("option", { name: "Grace" }).click();
  await page.getByRole("button", { name: /^Author/ }).click();
  await expect.poll(options).toEqual(["Grace", "Ada", "Émile"]);
  await expect.element(page.getByText("Recent")).toBeVisible();
});

it("offers to make something new of what was typed, once it is known whether it is there", async () => {
  const onMake = vi.fn();
  const load = async ({ text }: { text: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { items: FEW.filter(({ label }) => label.startsWith(text)) };
  };
  await show(<One source={{ key: ["made"], load }} make={{ label: (typed) => (typed ? `Create ${typed}` : undefined), onMake }} />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await userEvent.keyboard("Zoe{Enter}");
  expect(onMake).not.toHaveBeenCalled();
  await expect.poll(options).toEqual(["Create Zoe"]);
  await userEvent.keyboard("{Enter}");
  expect(onMake).toHaveBeenCalledExactlyOnceWith("Zoe");
  await expect.element(page.getByRole("button", { name: /^Author/ })).toHaveFocus();
});

it("says that it failed, and tries again", async () => {
  let isBroken = true;
  await show(<One source={{ key: ["broken"], load: () => (isBroken ? Promise.reject(new Error("no")) : Promise.resolve({ items: FEW })) }} />);
  await page.getByRole("button", { name: /^Author/ }).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(options).toEqual(["Ada", "Émile", "Grace"]);
});

it("keeps several in their order, and no more than are allowed", async () => {
  function Several() {
    const [value, setValue] = useState<Option[]>([]);
    return <PickerListField fieldLabel="Authors" label="Choose authors" source={knownSource(["few"], FEW)} value={value} onChange={setValue} most={2} />;
  }
  await show(<Several />);
  await page.getByRole("button", { name: "Authors Add" }).click();
  for (const name of ["Grace", "Ada", "Émile"]) await page.getByRole("option", { name }).click();
  await userEvent.keyboard("{Escape}");
  const names = () => [...document.querySelectorAll("li bdi")].map(({ textContent }) => textContent);
  expect(names()).toEqual(["Grace", "Ada"]);
  await page.getByRole("button", { name: "Remove Grace" }).click();
  expect(names()).toEqual(["Ada"]);
  await expect.element(page.getByRole("button", { name: "Authors Add" })).toHaveFocus();
});
