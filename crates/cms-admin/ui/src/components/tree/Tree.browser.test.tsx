import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { Tree } from "./Tree";

const ITEMS = [
  { id: "a", name: "Animals", children: [{ id: "b", name: "Birds", children: [{ id: "o", name: "Owls" }] }, { id: "f", name: "Fish" }] },
  { id: "p", name: "Plants", children: [{ id: "t", name: "Trees" }] },
];

function Sample() {
  const [selected, setSelected] = useState<string>();
  return <Tree label="Things" items={ITEMS} selected={selected} onSelect={({ id }) => setSelected(id)} />;
}

const names = () => [...document.querySelectorAll('[role="treeitem"]')].map(({ textContent }) => textContent);
const focused = () => document.activeElement?.textContent;

async function begin(language = "en") {
  await show(<Sample />, { language });
  document.querySelector<HTMLElement>('[role="treeitem"]')?.focus();
}

it("opens, steps in and out, and closes by keys", async () => {
  await begin();
  await userEvent.keyboard("{ArrowRight}");
  expect(names()).toEqual(["Animals", "Birds", "Fish", "Plants"]);
  await userEvent.keyboard("{ArrowRight}");
  expect(focused()).toBe("Birds");
  await userEvent.keyboard("{ArrowLeft}");
  expect(focused()).toBe("Animals");
  await userEvent.keyboard("{ArrowLeft}");
  expect(names()).toEqual(["Animals", "Plants"]);
});

it("turns the arrows round where lines run from right to left", async () => {
  await begin("ar");
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(focused()).toBe("Birds");
  document.documentElement.dir = "ltr";
});

it("goes to the ends, to names that are typed, and opens all on one level", async () => {
  await begin();
  await userEvent.keyboard("*{End}");
  expect(focused()).toBe("Trees");
  await userEvent.keyboard("{Home}fi");
  expect(focused()).toBe("Fish");
});

it("selects by key and by pointer, and is one stop for Tab", async () => {
  await begin();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(page.getByRole("treeitem", { name: "Plants" })).toHaveAttribute("aria-selected", "true");
  expect(document.querySelectorAll('[role="treeitem"][tabindex="0"]')).toHaveLength(1);
  await page.getByRole("treeitem", { name: "Animals" }).click();
  await expect.element(page.getByRole("treeitem", { name: "Animals" })).toHaveAttribute("aria-selected", "true");
});

it("says how deep each item is, and where it stands", async () => {
  await begin();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}");
  const owl = page.getByRole("treeitem", { name: "Owls" });
  await expect.element(owl).toHaveAttribute("aria-level", "3");
  await expect.element(owl).toHaveAttribute("aria-setsize", "1");
});
