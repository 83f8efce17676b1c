import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { freshQueries, show } from "~/testing/render";

import { ScheduleDialog } from "./ScheduleDialog";
import { SiteTime } from "./SiteTime";
import { EntryStatus } from "./status";

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Its clocks are ahead of all others. */
const ELSEWHERE = "Pacific/Kiritimati";
const AT = "2026-11-25T12:30:00Z";

function surroundings(timeZone: string) {
  const queries = freshQueries();
  queries.setQueryData(["site"], { timeZone, locales: ["en"] });
  return { queries };
}

it("tells a plan by the clocks of the site, and names the zone where those of the reader show something else", async () => {
  const entry = { status: "scheduled", hasDraft: true, scheduledAt: AT } as const;
  const drawn = (
    <>
      <SiteTime at={AT} />
      <EntryStatus entry={entry} />
    </>
  );
  await show(drawn, surroundings(ELSEWHERE));
  await expect.element(page.getByText(/26.*2:30.*GMT\+14/)).toBeVisible();
  await expect.element(page.getByTitle(/Will be published .*26.*2:30.*GMT\+14/)).toBeVisible();
});

it("leaves the zone out where it is the reader's own", async () => {
  await show(<SiteTime at={AT} />, surroundings(HERE));
  await expect.element(page.getByText(/2026/)).toBeVisible();
  expect(document.body.textContent).not.toMatch(/GMT|UTC/);
});

it("plans nothing for a time that has passed", async () => {
  const onSchedule = vi.fn();
  await show(<ScheduleDialog name="Moby Dick" onSchedule={onSchedule} onClose={() => undefined} />, surroundings(ELSEWHERE));
  const date = page.getByRole("textbox", { name: "Date" });
  await expect.element(date).toBeVisible();
  const schedule = page.getByRole("button", { name: "Schedule" });
  await schedule.click();
  await expect.element(page.getByText("Choose a date and a time.")).toBeVisible();
  await userEvent.fill(date, "1/2/2020");
  await userEvent.fill(page.getByRole("textbox", { name: "Time" }), "10:00");
  await schedule.click();
  await expect.element(page.getByText("That time has passed. Choose a later one.")).toBeVisible();
  expect(onSchedule).not.toHaveBeenCalled();
});
