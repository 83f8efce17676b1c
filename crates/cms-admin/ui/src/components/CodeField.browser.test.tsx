import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { isTyping } from "~/lib/typing";
import { show } from "~/testing/render";

import { CodeField } from "./CodeField";

function Sample({ readOnly = false }: { readOnly?: boolean }) {
  const [value, setValue] = useState('{"a": 1}');
  return (
    <>
      <CodeField label="Data" language="json" value={value} onChange={setValue} error="Correct this." readOnly={readOnly} />
      <button type="button" onClick={() => setValue("[]")}>
        Elsewhere
      </button>
      <output>{value}</output>
    </>
  );
}

const content = () => [...document.querySelectorAll("div")].map(({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>(".cm-content")).find(Boolean);
const ready = () => expect.poll(() => content()?.textContent, { timeout: 10_000 }).toContain('"a"');

it("tells what is typed, and follows what comes from elsewhere", async () => {
  await show(<Sample />);
  await ready();
  content()?.focus();
  await userEvent.keyboard("{Control>}a{/Control}5");
  await expect.element(page.getByText("5", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Elsewhere" }).click();
  await expect.poll(() => content()?.textContent).toBe("[]");
});

it("is named and says what is wrong to those who hear it", async () => {
  await show(<Sample />);
  await ready();
  await expect.poll(() => content()?.getAttribute("aria-label")).toBe("Data");
  expect(content()?.getAttribute("aria-description")).toContain("Correct this.");
});

it("writes no styles into the page", async () => {
  await show(<p>Before</p>);
  const before = document.querySelectorAll("style").length;
  const seen: string[] = [];
  const watch = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => node instanceof HTMLStyleElement && seen.push(node.textContent))));
  watch.observe(document.head, { childList: true });
  await show(<Sample />);
  await ready();
  watch.disconnect();
  // Vite adds the application's own style sheet; what CodeMirror writes speaks of its classes.
  expect(seen.filter((text) => text.includes("cm-"))).toEqual([]);
  expect(document.querySelectorAll("style").length).toBeLessThanOrEqual(before + 1);
});

it("has keys that belong to what is typed, and not to the screen", async () => {
  await show(<Sample />);
  await ready();
  const heard: boolean[] = [];
  document.addEventListener("keydown", (event) => heard.push(isTyping(event)), { once: true });
  content()?.focus();
  await userEvent.keyboard("g");
  expect(heard).toEqual([true]);
});

it("can be read only", async () => {
  await show(<Sample readOnly />);
  await ready();
  content()?.focus();
  await userEvent.keyboard("x");
  expect(content()?.textContent).toBe('{"a": 1}');
});
