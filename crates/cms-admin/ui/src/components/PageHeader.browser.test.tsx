import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";

import { show } from "~/testing/render";

import { PageHeader } from "./PageHeader";

const heading = () => page.getByRole("heading", { name: "Notes" }).element() as HTMLElement;

it("shows where the keyboard is when it is put on the heading, and nothing to those who point", async () => {
  await show(
    <>
      <button type="button" onClick={() => heading().focus()}>
        Go there
      </button>
      <PageHeader title="Notes" />
    </>,
  );
  await page.getByRole("button").click();
  expect(document.activeElement).toBe(heading());
  expect(getComputedStyle(heading()).outlineStyle).toBe("none");
  (page.getByRole("button").element() as HTMLElement).blur();
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  (page.getByRole("button").element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(heading());
  expect(getComputedStyle(heading()).outlineStyle).toBe("solid");
});
