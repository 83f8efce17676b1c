import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { SortableList } from "./SortableList";

function List({ disabled = false }: { disabled?: boolean }) {
  const [names, setNames] = useState(["a", "b", "c", "d"]);
  return (
    <SortableList label="Letters" items={names} itemKey={(name) => name} itemName={(name) => name} onMove={setNames} disabled={disabled}>
      {(name) => <input aria-label={`Field ${name}`} defaultValue={name} />}
    </SortableList>
  );
}

const order = () => [...document.querySelectorAll("li input")].map((input) => (input as HTMLInputElement).value).join("");
const said = () => [...document.querySelectorAll('[aria-live="assertive"]')].map(({ textContent }) => textContent).join("");

it("moves an item by keys alone, keeps the focus on it, and says where it is", async () => {
  await show(<List />);
  document.querySelector<HTMLElement>('[aria-label="Move b"]')?.focus();
  await userEvent.keyboard(" {ArrowDown}");
  expect(order()).toBe("acbd");
  expect(said()).toBe("b is number 3 of 4.");
  await userEvent.keyboard("{End}");
  expect(order()).toBe("acdb");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Drop b");
  await userEvent.keyboard(" ");
  expect(said()).toBe("b dropped as number 4 of 4.");
  await userEvent.keyboard("{ArrowUp}");
  expect(order()).toBe("acdb");
});

it("puts an item back where it was on Escape", async () => {
  await show(<List />);
  document.querySelector<HTMLElement>('[aria-label="Move c"]')?.focus();
  await userEvent.keyboard("{Enter}{Home}");
  expect(order()).toBe("cabd");
  await userEvent.keyboard("{Escape}");
  expect(order()).toBe("abcd");
  expect(said()).toBe("c put back as number 3 of 4.");
});

it("goes no further than the ends", async () => {
  await show(<List />);
  document.querySelector<HTMLElement>('[aria-label="Move a"]')?.focus();
  await userEvent.keyboard(" {ArrowUp}");
  expect(order()).toBe("abcd");
  await userEvent.keyboard("{End}{ArrowDown}");
  expect(order()).toBe("bcda");
});

it("moves by taps, without dragging", async () => {
  await show(<List />);
  await page.getByRole("button", { name: "Move a" }).click();
  await page.getByRole("button", { name: "Move down" }).click();
  await page.getByRole("button", { name: "Move down" }).click();
  expect(order()).toBe("bcad");
  await page.getByRole("button", { name: "Drop a" }).click();
  expect(document.querySelector("[data-lifted]")).toBeNull();
});

it("puts down what is left behind", async () => {
  await show(<List />);
  await page.getByRole("button", { name: "Move a" }).click();
  await page.getByRole("textbox", { name: "Field c" }).click();
  await expect.poll(() => document.querySelector("[data-lifted]")).toBeNull();
});

it("moves what is dragged by its handle to where it is dropped", async () => {
  await show(<List />);
  const target = document.querySelectorAll("li")[3];
  if (!target) throw new Error("no target");
  await userEvent.dragAndDrop(page.getByRole("button", { name: "Move a" }), target, { targetPosition: { x: 20, y: target.clientHeight - 4 } });
  await expect.poll(order).toBe("bcda");
  await userEvent.dragAndDrop(page.getByRole("button", { name: "Move d" }), document.querySelectorAll("li")[0] ?? target, { targetPosition: { x: 20, y: 4 } });
  await expect.poll(order).toBe("dbca");
});

it("keeps what is typed in an item that moves", async () => {
  await show(<List />);
  await userEvent.fill(page.getByRole("textbox", { name: "Field a" }), "x");
  document.querySelector<HTMLElement>('[aria-label="Move a"]')?.focus();
  await userEvent.keyboard(" {ArrowDown} ");
  expect(order()).toBe("bxcd");
});

it("moves nothing while it is disabled", async () => {
  await show(<List disabled />);
  await expect.element(page.getByRole("button", { name: "Move a" })).toBeDisabled();
});
