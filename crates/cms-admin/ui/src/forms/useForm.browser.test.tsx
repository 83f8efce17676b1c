import { Profiler } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { ApiError, type Issue } from "~/api/errors";
import { TextField } from "~/components/Field";
import { show } from "~/testing/render";

import { Form } from "./Form";
import { useField, useList } from "./useField";
import { useForm } from "./useForm";

interface Values {
  title: string;
  items: { title: string }[];
}

const submit = vi.fn<(values: Values) => Promise<unknown>>();
const drawn = vi.fn<(id: string) => void>();

beforeEach(() => {
  submit.mockReset().mockResolvedValue(undefined);
  drawn.mockClear();
});

const START: Values = { title: "a", items: [{ title: "x" }, { title: "y" }] };

function Small({ values = START, guarded = false }: { values?: Values; guarded?: boolean }) {
  const form = useForm<Values>({ values, submit });
  return (
    <Form form={form} guarded={guarded}>
      <TextField label="Title" {...form.field("title")} />
      {form.values.items.map((_, n) => (
        <TextField key={n} label={`Item ${n}`} {...form.field(`items.${n}.title`)} />
      ))}
      <button type="submit">Save</button>
      <button type="button" onClick={form.reset}>
        Reset
      </button>
      <output>{form.isDirty ? "dirty" : "clean"}</output>
    </Form>
  );
}

const save = () => page.getByRole("button", { name: "Save" }).click();
const refuse = (...issues: Issue[]) => submit.mockRejectedValue(new ApiError({ status: 422, code: "VALIDATION_ERROR", message: "no", issues }));
const field = (name: string) => page.getByRole("textbox", { name });

it("sends what was typed, at any depth, and is clean then", async () => {
  await show(<Small />);
  await userEvent.fill(field("Item 1"), "z");
  await expect.element(page.getByText("dirty")).toBeVisible();
  await save();
  expect(submit).toHaveBeenCalledExactlyOnceWith({ title: "a", items: [{ title: "x" }, { title: "z" }] });
  await expect.element(page.getByText("clean")).toBeVisible();
});

it("takes back what was typed on reset", async () => {
  await show(<Small />);
  await userEvent.fill(field("Item 1"), "z");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect.element(field("Item 1")).toHaveValue("y");
  await expect.element(page.getByText("clean")).toBeVisible();
});

it("takes over what the server says only where nobody typed", async () => {
  const { again } = await show(<Small />);
  await userEvent.fill(field("Item 0"), "mine");
  await again(<Small values={{ title: "b", items: [{ title: "theirs" }, { title: "theirs" }] }} />);
  await expect.element(field("Title")).toHaveValue("b");
  await expect.element(field("Item 0")).toHaveValue("mine");
  await expect.element(field("Item 1")).toHaveValue("theirs");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect.element(field("Item 0")).toHaveValue("theirs");
});

it("says the server's issues at their fields, by code, and focuses the first in the page", async () => {
  await show(<Small />);
  refuse({ path: "items[1].title", code: "TOO_LONG", message: "has more than 5 characters" }, { path: "items.0.title", code: "MADE_UP", message: "is odd" });
  await save();
  await expect.element(field("Item 1")).toHaveAccessibleDescription("This is too long.");
  await expect.element(field("Item 0")).toHaveAccessibleDescription("Is odd.");
  await expect.element(field("Item 0")).toHaveFocus();
  await userEvent.fill(field("Item 1"), "ok");
  await expect.element(field("Item 1")).not.toHaveAttribute("aria-invalid");
  await expect.element(field("Item 0")).toHaveAttribute("aria-invalid", "true");
});

it("says above the form what is about no field of it", async () => {
  await show(<Small />);
  refuse({ path: "other", code: "REQUIRED", message: "is missing" });
  await save();
  await expect.element(page.getByRole("alert")).toHaveTextContent("other: Fill in this field.");
});

it("sends nothing while a field is empty that must not be", async () => {
  await show(<Small />);
  await userEvent.clear(field("Item 0"));
  await save();
  expect(submit).not.toHaveBeenCalled();
  await expect.element(field("Item 0")).toHaveFocus();
  await expect.element(field("Item 0")).toHaveAccessibleDescription("Fill in this field.");
});

it("can be sent again after a refusal, and keeps what was typed", async () => {
  await show(<Small />);
  refuse({ path: "title", code: "REQUIRED", message: "is missing" });
  await userEvent.fill(field("Item 0"), "kept");
  await save();
  await expect.element(field("Title")).toHaveAttribute("aria-invalid", "true");
  submit.mockReset().mockResolvedValue(undefined);
  await save();
  expect(submit).toHaveBeenCalledOnce();
  expect(submit.mock.calls[0]?.[0].items[0]?.title).toBe("kept");
  await expect.element(page.getByText("clean")).toBeVisible();
});

it("asks before a screen is left with changes", async () => {
  const { router } = await show(<Small guarded />);
  await userEvent.fill(field("Title"), "changed");
  void router.navigate({ to: "/elsewhere" as never });
  await expect.element(page.getByRole("alertdialog")).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await expect.element(field("Title")).toHaveValue("changed");
});

function Large({ values = START }: { values?: Values }) {
  const form = useForm<Values>({ values, submit, isLarge: true });
  const list = useList<Values, "items">(form, "items");
  return (
    <Form form={form}>
      {list.items.map(({ key }, n) => (
        <Profiler key={key} id={String(n)} onRender={drawn}>
          <Item form={form} n={n} />
        </Profiler>
      ))}
      <button type="button" onClick={() => list.move(0, 1)}>
        Swap
      </button>
      <button type="button" onClick={() => list.append({ title: "new" })}>
        Add
      </button>
      <button type="submit">Save</button>
    </Form>
  );
}

function Item({ form, n }: { form: Parameters<typeof useField<Values, `items.${number}.title`>>[0]; n: number }) {
  const { value, onChange, ...rest } = useField<Values, `items.${number}.title`>(form, `items.${n}.title`);
  return <TextField label={`Item ${n}`} {...rest} value={value} onChange={(event) => onChange(event.target.value)} />;
}

it("draws only the field of a large form that one types into", async () => {
  await show(<Large />);
  await userEvent.type(field("Item 0"), "1");
  drawn.mockClear();
  await userEvent.type(field("Item 0"), "23");
  expect(drawn.mock.calls.map(([id]) => id)).not.toContain("1");
});

it("moves and adds items of a list, with the server's issues at them", async () => {
  await show(<Large />);
  await page.getByRole("button", { name: "Swap" }).click();
  await expect.element(field("Item 0")).toHaveValue("y");
  await page.getByRole("button", { name: "Add" }).click();
  await userEvent.fill(field("Item 2"), "z");
  refuse({ path: "items[2].title", code: "DUPLICATE", message: "appears twice" });
  await save();
  expect(submit).toHaveBeenCalledWith({ title: "a", items: [{ title: "y" }, { title: "x" }, { title: "z" }] });
  await expect.element(field("Item 2")).toHaveAccessibleDescription("This appears twice.");
  await expect.element(field("Item 2")).toHaveFocus();
});
