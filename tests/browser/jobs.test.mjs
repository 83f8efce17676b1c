// The page of jobs: what was done, what each server does, what fails and is tried again, and that it follows by itself.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

/** So many entries that a job about them is seen before it is done. */
const MANY = 10_000;

const job = (more) => ({
  id: "01KB000000000000000000000A",
  kind: "content.import",
  title: "Import content",
  state: "running",
  done: 0,
  total: 10_000,
  note: null,
  failedItems: 0,
  error: null,
  attempts: 0,
  nextAttemptAt: null,
  result: null,
  node: "one",
  askedBy: null,
  createdAt: "2026-11-20T10:00:00.000Z",
  startedAt: "2026-11-20T10:00:01.000Z",
  finishedAt: null,
  ...more,
});

/** A stream in the browser's network that ends after its events, so that the browser asks anew. */
function events(...all) {
  const body = all.map((jobs) => `retry: 200\ndata: ${JSON.stringify({ open: jobs.filter(({ finishedAt }) => !finishedAt), latest: jobs })}\n\n`).join("");
  return { status: 200, contentType: "text/event-stream", body };
}

test("people see what goes on beside their work", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site, { content: true });
  const { page } = ada;
  await getStarted(page);

  await t.test("what was done is in the history, and what each server does below", async () => {
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.getByText("Live").waitFor();
    const done = page.getByRole("table", { name: "History" }).getByRole("row").filter({ hasText: "Create sample content" });
    await done.getByText("Done").waitFor();
    const tasks = page.getByRole("table", { name: "Tasks of each server" });
    await tasks.getByText("Publish what is due").waitFor();
    assert.equal(await tasks.getByText("Failing").count(), 0);
    await look(page, "jobs");
  });

  await t.test("a job gets on before one's eyes", async () => {
    let asked = 0;
    await page.route("**/admin/job-events", (route) => route.fulfill(events([job({ done: (asked += 1_000) })])));
    await page.reload();
    const bar = page.getByRole("progressbar", { name: "Import content" });
    await bar.waitFor();
    const seen = new Set();
    while (seen.size < 3) {
      seen.add(await bar.evaluate((element) => element.value));
      await page.waitForTimeout(50);
    }
    assert.ok([...seen].every((value, n, all) => n === 0 || value > all[n - 1]), [...seen].join());
    await page.unroute("**/admin/job-events");
  });

  await t.test("it is where it was after a reload, and goes on after the server was killed", async () => {
    const asked = async (method, path, body) => {
      const answer = await ada.ask(method, path, body);
      assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
      return (await answer.json()).data;
    };
    const fields = [{ slug: "number", label: "Number", type: "integer" }];
    await asked("POST", "/schema/collections", { slug: "numbers", label: "Numbers", fields });
    const lines = Array.from({ length: MANY }, (_, number) => JSON.stringify({ collection: "numbers", data: { number } }));
    const file = join(await mkdtemp(join(tmpdir(), "cms-jobs-")), "numbers.ndjson");
    await writeFile(file, lines.join("\n"));
    await site.run("import", "ndjson", file);
    await asked("PUT", "/schema/collections/numbers/fields/number", { unique: true });
    const { items } = await asked("GET", "/admin/jobs?kind=content.register_unique");
    await asked("POST", `/admin/jobs/${items[0].id}/pause`);
    await page.reload();
    const bar = page.getByRole("progressbar", { name: "Register unique values" });
    await bar.waitFor();
    const before = await bar.evaluate(({ value }) => value);
    assert.ok(before > 0 && before < MANY, `${before}`);
    await page.reload();
    await bar.waitFor();
    assert.equal(await bar.evaluate(({ value }) => value), before);
    await page.getByRole("button", { name: "Resume: Register unique values" }).click();
    await page.waitForFunction((value) => (document.querySelector("progress")?.value ?? value + 1) > value, before);
    await site.crash();
    // Another server takes over once the lease of the one that was killed has ended. Nobody reloads the page.
    const done = page.getByRole("table", { name: "History" }).getByRole("row").filter({ hasText: "Register unique values" });
    await done.getByText("Done").waitFor({ timeout: 60_000 });
    await done.getByText(MANY.toLocaleString("en-GB")).waitFor();
    await rm(dirname(file), { recursive: true });
  });

  await t.test("what failed says why, what is stopped asks first, and what is refused is told", async () => {
    const failed = job({ id: "01KB000000000000000000000B", state: "failed", error: "the disk is full", finishedAt: "2026-11-20T11:00:00.000Z" });
    const waiting = job({ state: "queued", error: "the provider did not answer", done: 7, failedItems: 2, note: "post-7", nextAttemptAt: "2026-11-20T11:00:00.000Z" });
    await page.route("**/admin/job-events", (route) => route.fulfill(events([waiting, failed])));
    await page.reload();
    await page.getByText("the disk is full").waitFor();
    await page.getByText("2 failed").waitFor();
    await look(page, "jobs-failed");
    await page.getByRole("button", { name: "Cancel: Import content" }).click();
    await page.getByRole("alertdialog").getByText("What it has done stays done.").waitFor();
    await page.getByRole("button", { name: "Cancel the job" }).click();
    // The server has no such job.
    await page.getByRole("alertdialog").getByText("This does not exist, or no longer exists.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Try again: Import content" }).click();
    await page.getByText("This does not exist, or no longer exists.").first().waitFor();
    await page.unroute("**/admin/job-events");
  });
});
