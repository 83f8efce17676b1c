import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { chooseRegion } from "~/lib/region";
import { show } from "~/testing/render";

import DateTimeField, { type DateTimeFieldProps } from "./DateTimeField";

const changed = vi.fn<(value: string | null) => void>();
const problem = vi.fn<(problem: string | undefined) => void>();

function Sample({ value: first, ...more }: Partial<DateTimeFieldProps> & { value: string | null }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <DateTimeField
        label="Publish at"
        kind="datetime"
        zone="Europe/Berlin"
        optional
        value={value}
        onProblem={problem}
        onChange={(value) => {
          changed(value);
          setValue(value);
        }}
        {...more}
      />
      <button type="button">Elsewhere</button>
      <button type="button" onClick={() => setValue("2026-12-24T17:00:00.000Z")}>
        News
      </button>
    </>
  );
}

async function draw(props: Parameters<typeof Sample>[0]) {
  chooseRegion("GB");
  changed.mockClear();
  problem.mockClear();
  await show(<Sample {...props} />);
}

afterEach(() => chooseRegion(undefined));

const date = () => page.getByLabelText("Date", { exact: true });
const time = () => page.getByLabelText("Time", { exact: true });
const leave = () => page.getByRole("button", { name: "Elsewhere" }).click();

it("shows an instant as clocks of the site's zone do, and names the zone", async () => {
  await draw({ value: "2026-07-01T10:00:00Z" });
  await expect.element(date()).toHaveValue("01/07/2026");
  await expect.element(time()).toHaveValue("12:00");
  await expect.element(page.getByText("Time zone: Central European Time (GMT+2)")).toBeVisible();
});

/** As in the editor: what cannot be read is kept elsewhere, and comes back as no value; all of it a moment later. */
function Later({ first }: { first: string | null }) {
  const [value, setValue] = useState(first);
  const [zone] = useState("Europe/Berlin");
  const later = (value: string | null) => setTimeout(() => setValue(value), 30);
  return <DateTimeField label="When" kind="datetime" zone={zone} optional value={value} onProblem={(problem) => problem !== undefined && later(null)} onChange={later} />;
}

it.each([null, "2026-12-31T22:59:00.000Z"])("keeps what is typed letter by letter, also where a part of it is no date yet: %s", async (first) => {
  chooseRegion("GB");
  await show(<Later first={first} />);
  await userEvent.click(date());
  await userEvent.keyboard("{Control>}a{/Control}");
  for (const letter of "15/01/2027") await userEvent.keyboard(letter);
  await userEvent.click(time());
  await userEvent.keyboard("{Control>}a{/Control}");
  for (const letter of "14:30") await userEvent.keyboard(letter);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect.element(date()).toHaveValue("15/01/2027");
  await expect.element(time()).toHaveValue("14:30");
  await userEvent.keyboard("{Backspace}{Backspace}{Backspace}");
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect.element(date()).toHaveValue("15/01/2027");
  await expect.element(time()).toHaveValue("14");
});

it("passes an instant on for what is typed", async () => {
  await draw({ value: null });
  await userEvent.fill(date(), "24/12/2026");
  await userEvent.fill(time(), "6 pm");
  await leave();
  expect(changed).toHaveBeenLastCalledWith("2026-12-24T17:00:00Z");
  await expect.element(time()).toHaveValue("18:00");
});

it("keeps what is typed wrongly, says what is wrong, and passes nothing on", async () => {
  await draw({ value: "2026-07-01T10:00:00Z" });
  await userEvent.fill(date(), "31/02/2026");
  await expect.element(page.getByText("There is no such date.")).not.toBeInTheDocument();
  await leave();
  await expect.element(page.getByText("There is no such date. Write it like 25/11/2026.")).toBeVisible();
  await expect.element(date()).toHaveValue("31/02/2026");
  expect(changed).not.toHaveBeenCalled();
  expect(problem).toHaveBeenLastCalledWith("There is no such date. Write it like 25/11/2026.");
  expect((document.querySelector("input") as HTMLInputElement).validity.customError).toBe(true);
});

it("asks for the time that is missing", async () => {
  await draw({ value: null });
  await userEvent.fill(date(), "24/12/2026");
  await leave();
  await expect.element(page.getByText("Add a time.")).toBeVisible();
});

it("names the next time when clocks skip the one that was typed", async () => {
  await draw({ value: null });
  await userEvent.fill(date(), "29/03/2026");
  await userEvent.fill(time(), "02:30");
  await leave();
  await expect.element(page.getByText(/Clocks go forward and skip this time\. Take 0?3:30, or another time\./)).toBeVisible();
  expect(changed).not.toHaveBeenCalledWith(expect.stringContaining("2026-03-29"));
});

it("asks which one is meant when clocks show a time twice", async () => {
  await draw({ value: null });
  await userEvent.fill(date(), "25/10/2026");
  await userEvent.fill(time(), "02:30");
  expect(changed).toHaveBeenLastCalledWith("2026-10-25T00:30:00Z");
  await page.getByRole("radio", { name: /The second time/ }).click();
  expect(changed).toHaveBeenLastCalledWith("2026-10-25T01:30:00Z");
});

it("shows which of two times of one name a value is", async () => {
  await draw({ value: "2026-10-25T01:30:00Z" });
  await expect.element(page.getByRole("radio", { name: /The second time: 0?2:30 GMT\+1/ })).toBeChecked();
});

it("refuses what is too early", async () => {
  await draw({ value: null, min: "2026-11-25T08:00:00Z" });
  await userEvent.fill(date(), "25/11/2026");
  await userEvent.fill(time(), "08:59");
  await leave();
  await expect.element(page.getByText(/This is too early\. Choose 25\/11\/2026 0?9:00 or later\./)).toBeVisible();
  expect(changed).not.toHaveBeenCalled();
});

it("follows what comes from elsewhere, and not what it said itself", async () => {
  await draw({ value: null });
  await userEvent.fill(date(), "1/7/2026");
  await userEvent.fill(time(), "9");
  await expect.element(time()).toHaveValue("9");
  await page.getByRole("button", { name: "News" }).click();
  await expect.element(date()).toHaveValue("24/12/2026");
});

it("chooses a day in the calendar by keys", async () => {
  await draw({ value: "2026-07-01T10:00:00Z" });
  await userEvent.click(date());
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await expect.element(page.getByRole("grid", { name: /July 2026/ })).toBeVisible();
  await userEvent.keyboard("{ArrowRight}{Enter}");
  expect(changed).toHaveBeenLastCalledWith("2026-07-02T10:00:00Z");
});

it("has tomorrow at nine at hand, in the site's zone", async () => {
  await draw({ value: null, zone: "Pacific/Kiritimati" });
  await page.getByRole("button", { name: "Choose a date" }).click();
  await page.getByRole("button", { name: /^Tomorrow, / }).click();
  expect(changed.mock.lastCall?.[0]).toMatch(/T19:00:00Z$/);
  await expect.poll(() => (time().element() as HTMLInputElement).value).toMatch(/^0?9:00$/);
});

it("can be cleared", async () => {
  await draw({ value: "2026-07-01T10:00:00Z" });
  await page.getByRole("button", { name: "Clear" }).click();
  expect(changed).toHaveBeenLastCalledWith(null);
});

it("shows a value that is none as it is, and does not change it", async () => {
  await draw({ value: "next week" });
  await expect.element(date()).toHaveValue("next week");
  await leave();
  expect(changed).not.toHaveBeenCalled();
});

it("takes a zone that does not exist for UTC, and says so", async () => {
  await draw({ value: "2026-07-01T10:00:00Z", zone: "Mars/Olympus" });
  await expect.element(time()).toHaveValue("10:00");
  await expect.element(page.getByText(/Time zone: (Coordinated Universal Time|UTC|GMT)/)).toBeVisible();
});

it("takes dates and times alone", async () => {
  await draw({ value: "2026-11-25", kind: "date" });
  await userEvent.fill(page.getByRole("textbox"), "26.11.2026");
  expect(changed).toHaveBeenLastCalledWith("2026-11-26");
});
