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

it("keeps JSON as it was typed, with its mistakes and its spaces", async () => {
  const seen = await draw("json", { a: 1 });
  await userEvent.fill(box(), '{"a": ');
  expect(seen.value).toEqual({ $typed: '{"a": ' });
  await userEvent.fill(box(), '{"a":   2}');
  expect(seen.value).toEqual({ a: 2 });
  await expect.element(box()).toHaveValue('{"a":   2}');
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
