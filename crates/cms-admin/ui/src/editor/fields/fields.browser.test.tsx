import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { Control } from "./Control";
import { Frame } from "./Frame";
import type { FieldType, Shaped } from "./shape";

/** A field with its value, which the test looks at. */
async function draw(type: FieldType, value: unknown, rest: Partial<Shaped> = {}) {
  const field: Shaped = { slug: "it", label: "It", type, required: false, validation: {}, options: {}, ...rest };
  const seen = { value };
  function Drawn() {
    const [current, setCurrent] = useState(value);
    return (
      <Frame field={field} id="it" value={current} issues={[]}>
        {(control) => (
          <Control
            {...control}
            field={field}
            value={current}
            issues={[]}
            readOnly={false}
            onChange={(next) => {
              seen.value = next;
              setCurrent(next);
            }}
          />
        )}
      </Frame>
    );
  }
  await show(<Drawn />);
  return seen;
}

const text = () => box().element().textContent;
const box = () => page.getByRole("textbox", { name: "It" });

it("is no value when a number is cleared, and keeps what is no number yet", async () => {
  const seen = await draw("integer", 7);
  await userEvent.clear(box());
  expect(seen.value).toBeNull();
  await userEvent.fill(box(), "12x");
  expect(seen.value).toEqual({ $typed: "12x" });
  await expect.element(box()).toHaveValue("12x");
  await userEvent.fill(box(), "12");
  expect(seen.value).toBe(12);
  await userEvent.keyboard("{ArrowUp}");
  expect(seen.value).toBe(13);
});

it("keeps JSON as it was typed, with its mistakes and its spaces, until it is formatted", async () => {
  const seen = await draw("json", { a: 1 });
  await userEvent.fill(box(), '{"a": ');
  await expect.poll(() => seen.value).toEqual({ $typed: '{"a": ' });
  await userEvent.fill(box(), '{"a":   2}');
  await expect.poll(() => seen.value).toEqual({ a: 2 });
  await expect.poll(text).toBe('{"a":   2}');
  await page.getByRole("button", { name: "Format" }).click();
  await expect.poll(text).toBe('{  "a": 2}');
  await expect.element(page.getByRole("button", { name: "Format" })).toHaveAttribute("aria-disabled", "true");
  expect(seen.value).toEqual({ a: 2 });
});

it("says where it is no JSON, and leads there", async () => {
  await draw("json", { $typed: '{"a": 1,\n "b": oops}' });
  await expect.element(box()).toBeVisible();
  await page.getByRole("button", { name: "This is not JSON yet: look at line 2, column 7." }).click();
  await expect.poll(() => document.activeElement?.shadowRoot?.activeElement).toBe(box().element());
  await userEvent.keyboard("9");
  await expect.poll(text).toContain('"b": 9oops');
});

it("keeps a number in JSON that would become another one as it was typed, says which, and leads there", async () => {
  const seen = await draw("json", null);
  const typed = '{"id": 12345678901234567890}';
  await userEvent.fill(box(), typed);
  await expect.poll(() => seen.value).toEqual({ $typed: typed });
  await expect.poll(text).toBe(typed);
  await page.getByRole("button", { name: '12345678901234567890 would be kept as another number. Write it as a text, "12345678901234567890", to keep it exactly.' }).click();
  await userEvent.fill(box(), '{"id": "12345678901234567890"}');
  await expect.poll(() => seen.value).toEqual({ id: "12345678901234567890" });
});

it("shows JSON with a number that came rounded, says so, and leaves it alone", async () => {
  const value = { id: Number("12345678901234567890") };
  const seen = await draw("json", value);
  await expect.element(page.getByText("This can only be read here")).toBeVisible();
  await expect.element(box()).toBeVisible();
  await userEvent.click(box());
  await userEvent.keyboard("x{Backspace}{Delete}");
  expect(seen.value).toBe(value);
  expect(page.getByRole("button", { name: "Format" }).query()).toBeNull();
});

it("goes on with Tab behind JSON", async () => {
  await draw("json", { a: 1 });
  await userEvent.click(box());
  await userEvent.tab();
  await expect.element(page.getByRole("button", { name: "Format" })).toHaveFocus();
});

it("offers what an address lacks once it is left", async () => {
  const seen = await draw("url", null);
  await userEvent.fill(box(), "example.com");
  await userEvent.tab();
  await userEvent.click(page.getByRole("button", { name: "Did you mean https://example.com?" }));
  expect(seen.value).toBe("https://example.com");
});

it("shows an option that is gone, and lets it be", async () => {
  const seen = await draw("select", "gone", { validation: { options: ["a", "b"] } });
  await expect.element(page.getByRole("combobox")).toHaveValue("gone");
  await userEvent.selectOptions(page.getByRole("combobox"), "b");
  expect(seen.value).toBe("b");
});

const MANY = { options: Array.from({ length: 13 }, (_, n) => `option ${n + 1}`) };

it("searches for one of many options, and takes it back", async () => {
  const seen = await draw("select", "gone", { validation: MANY });
  await userEvent.click(page.getByRole("button", { name: /^It.*gone \(no longer an option\)$/ }));
  await userEvent.keyboard("13");
  await expect.element(page.getByRole("option")).toHaveTextContent("option 13");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => seen.value).toBe("option 13");
  await userEvent.click(page.getByRole("button", { name: "Clear" }));
  expect(seen.value).toBeNull();
  await expect.element(page.getByRole("button", { name: /^It.*Nothing chosen$/ })).toHaveFocus();
});

it("searches for several of many options, and keeps them in the order of the options", async () => {
  const seen = await draw("multiSelect", ["option 12", "gone"], { validation: MANY });
  await userEvent.click(page.getByRole("button", { name: "Choose options" }));
  await userEvent.keyboard("option 3");
  await expect.element(page.getByRole("option").nth(1)).toHaveTextContent("option 13");
  await userEvent.keyboard("{Enter}{Escape}");
  await expect.poll(() => seen.value).toEqual(["option 3", "option 12", "gone"]);
  await userEvent.click(page.getByRole("button", { name: "Remove option 12" }));
  expect(seen.value).toEqual(["option 3", "gone"]);
  await expect.element(page.getByRole("button", { name: "Choose options" })).toHaveFocus();
});

it("adds, doubles and removes rows, each with a key of its own", async () => {
  const subFields = [{ slug: "name", type: "string" as const, label: "Name", required: true }];
  const seen = await draw("repeater", [{ _key: "l", name: "Loom" }], { validation: { subFields } });
  const rows = () => seen.value as { _key: string; name: string }[];
  await userEvent.click(page.getByRole("button", { name: "Add row" }));
  await userEvent.fill(page.getByRole("textbox", { name: "Name" }).nth(1), "Weft");
  expect(rows().map(({ name }) => name)).toEqual(["Loom", "Weft"]);
  const weft = rows()[1]?._key;
  await userEvent.click(page.getByRole("button", { name: "Duplicate row 1" }));
  expect(rows().map(({ name }) => name)).toEqual(["Loom", "Loom", "Weft"]);
  expect([rows()[0]?._key, rows()[2]?._key]).toEqual(["l", weft]);
  expect(new Set(rows().map(({ _key }) => _key)).size).toBe(3);
  await userEvent.click(page.getByRole("button", { name: "Remove row 3" }));
  expect(rows().map(({ name }) => name)).toEqual(["Loom", "Loom"]);
});

it("gives keys to rows from before there were any, once one of them changes", async () => {
  const subFields = [{ slug: "name", type: "string" as const, label: "Name", required: true }];
  const seen = await draw("repeater", [{ name: "Loom" }, { name: "Weft" }], { validation: { subFields } });
  expect(seen.value).toEqual([{ name: "Loom" }, { name: "Weft" }]);
  await userEvent.fill(page.getByRole("textbox", { name: "Name" }).nth(1), "Warp");
  const rows = seen.value as { _key: string; name: string }[];
  expect(rows.map(({ name }) => name)).toEqual(["Loom", "Warp"]);
  expect(new Set(rows.map(({ _key }) => _key).filter((key) => key.length === 12)).size).toBe(2);
});

it("stays alive with values that another program wrote wrongly", async () => {
  for (const type of ["string", "text", "number", "boolean", "select", "multiSelect", "image", "file", "json", "repeater", "url"] as const) {
    for (const value of [{ deep: [1] }, "text", 7, [null], true]) await draw(type, value);
  }
  await expect.element(page.getByText("It").first()).toBeInTheDocument();
});

it("shows what a tab that is gone left of a date half typed, until a date is made of it", async () => {
  const seen = await draw("datetime", { $typed: "32/13/2026 9:00" });
  const date = page.getByLabelText("Date", { exact: true });
  await expect.element(date).toHaveValue("32/13/2026 9:00");
  expect(seen.value).toEqual({ $typed: "32/13/2026 9:00" });
  await userEvent.fill(date, "12/11/2026");
  await userEvent.fill(page.getByLabelText("Time", { exact: true }), "9:00 AM");
  await userEvent.tab();
  expect(new Date(seen.value as string).getTime()).toBe(new Date(2026, 11, 11, 9).getTime());
});

it("sends for no image of another site before it is asked for", async () => {
  sessionStorage.clear();
  await draw("image", { id: "", src: "https://images.example/a.png" });
  await expect.element(page.getByRole("button", { name: "Show image from images.example" })).toBeVisible();
  expect(document.querySelector("img[src*=example]")).toBeNull();
  await page.getByRole("button", { name: "Show image from images.example" }).click();
  await expect.element(page.getByRole("button", { name: /Show image/ })).not.toBeInTheDocument();
});
