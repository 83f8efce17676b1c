// Import and export: a file is chosen or dropped, sent, and followed; what was wrong with which line is told; and what went out comes in again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

const line = (title) => JSON.stringify({ collection: "posts", slug: title.toLowerCase(), status: "published", data: { title } });

/** A file of lines, as the browser's dialog gives it. */
const file = (name, lines) => ({ name, mimeType: "application/x-ndjson", buffer: Buffer.from(lines.join("\n")) });

test("content comes in from a file and goes out as one", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const fields = [{ slug: "title", label: "Title", type: "string", required: true }];
  const made = await ada.ask("POST", "/schema/collections", { slug: "posts", label: "Posts", fields });
  assert.ok(made.ok(), await made.text());
  const transfers = page.getByRole("region", { name: "Imports and exports" });
  const done = (text) => transfers.getByRole("listitem").filter({ hasText: text }).first();

  await t.test("the page says what will be there", async () => {
    await page.getByRole("link", { name: "Import and export" }).click();
    await page.getByRole("heading", { level: 1, name: "Import and export" }).waitFor();
    await transfers.getByText("Nothing has been imported or exported yet").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("alert").getByText("Choose a file first.").waitFor();
    await look(page, "transfer-empty");
  });

  await t.test("a file is only checked when that is asked for", async () => {
    await page.getByLabel("Choose a file, or drop one here").setInputFiles(file("posts.ndjson", [line("One"), "nonsense"]));
    await page.getByText("posts.ndjson").waitFor();
    await page.getByLabel("Check only").check();
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("The import has started.").first().waitFor();
    await done("Only checked: 1 would be imported, 0 replaced, 0 left as they are, 1 refused.").waitFor();
    assert.equal((await (await ada.ask("GET", "/content/posts")).json()).data.items.length, 0);
  });

  await t.test("a file that is dropped is imported, and what was wrong is told by line", async () => {
    const lines = [line("One"), line("Two"), "nonsense", JSON.stringify({ collection: "posts", data: {} }), line("One")];
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "dropped.ndjson"));
      return transfer;
    }, lines.join("\n"));
    // The file that was checked is still there.
    await page.getByText("posts.ndjson").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByText("dropped.ndjson").waitFor();
    await page.getByLabel("Check only").uncheck();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const imported = done("2 imported, 0 replaced, 0 left as they are, 3 refused.");
    await imported.waitFor();
    await imported.getByText("Refused lines: 3").click();
    await imported.getByText("Line 3").waitFor();
    await imported.getByText("data.title", { exact: false }).waitFor();
    await look(page, "transfer-imported");
  });

  await t.test("what goes out comes in again", async () => {
    await page.getByRole("checkbox", { name: "Posts" }).check();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await done("2 entries").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
    assert.match(download.suggestedFilename(), /^content-\d{4}-\d\d-\d\d\.ndjson$/);
    const text = await readFile(await download.path(), "utf8");
    assert.deepEqual(text.trim().split("\n").map((line) => JSON.parse(line).data.title), ["One", "Two"]);
    await page.getByLabel("Choose a file, or drop one here").setInputFiles(file(download.suggestedFilename(), [text]));
    await page.getByLabel("If an entry already exists").selectOption("Replace it");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await done("0 imported, 2 replaced, 0 left as they are, 0 refused.").waitFor();
    await look(page, "transfer-done");
  });

  await t.test("what is refused is told above the form, and sending can be stopped", async () => {
    await page.route("**/admin/imports?*", (route) => route.fulfill({ status: 409, json: { success: false, error: { code: "CONFLICT", message: "five files of yours are waiting already" } } }));
    await page.getByLabel("Choose a file, or drop one here").setInputFiles(file("more.ndjson", [line("Three")]));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.locator("#import").getByRole("alert").waitFor();
    await page.unroute("**/admin/imports?*");
    await page.route("**/admin/imports?*", () => {});
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("progressbar", { name: "Upload" }).waitFor();
    await look(page, "transfer-sending");
    await page.getByRole("button", { name: "Stop sending" }).click();
    await page.getByRole("progressbar", { name: "Upload" }).waitFor({ state: "detached" });
    await page.unroute("**/admin/imports?*");
  });
});
