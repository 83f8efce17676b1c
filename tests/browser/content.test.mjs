// Lists of entries over a real server: what is there, how it stands, what is done with it, and the way back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { quiet } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

/** More entries than two pages of the server hold, which gives 100 at a time. */
const NOTES = 230;

const stage = setStage(() => Promise.resolve({ config: '[site]\nlocales = ["en", "de"]\ntime_zone = "Pacific/Auckland"\n', close() {} }));

const table = (page, name = "Notes") => page.getByRole("table", { name });
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** Opens the menu of an entry and chooses something in it. */
async function choose(page, title, words) {
  await page.getByRole("button", { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole("menuitem", { name: words }).click();
}

/** Sets a filter by the builder. */
async function filter(page, field, value) {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const editor = page.getByRole("dialog", { name: "New filter" });
  await editor.getByLabel("Field").selectOption({ label: field });
  await editor.getByLabel("Value").selectOption({ label: value });
  await editor.getByRole("button", { name: "Apply filter" }).click();
}

test("entries are listed, found, and taken care of", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const made = async (path, body) => {
    const answer = await ada.ask("POST", path, body);
    assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  await made("/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports: ["drafts", "revisions", "scheduling"] });
  const field = (slug, label, type, more) => made("/schema/collections/notes/fields", { slug, label, type, ...more });
  await field("title", "Title", "string");
  await field("pages", "Pages", "integer", { indexed: true });
  await field("mood", "Mood", "select", { validation: { options: ["calm", "wild"] } });
  const note = (title, more = {}) => made("/content/notes", { data: { title, ...more } });
  const drafts = [];
  for (let n = 0; n < NOTES; n++) drafts.push((await note(`Note ${String(n).padStart(3, "0")}`, { pages: n, mood: n % 2 ? "calm" : "wild" })).item);
  const published = (await note("On the Engine", { pages: 1000 })).item;
  await made(`/content/notes/${published.id}/publish`, {});
  await ada.ask("PUT", `/content/notes/${published.id}`, { data: { pages: 1001 } });
  await made("/content/notes", { data: { title: "Über die Maschine" }, locale: "de" });

  await t.test("the navigation leads to each collection, and its list has drafts too, each with its status", async () => {
    await ada.go("/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Notes" }).click();
    await page.getByRole("heading", { level: 1, name: "Notes" }).waitFor();
    await row(page, "Über die Maschine").getByText("Draft").waitFor();
    await row(page, "On the Engine").getByText("Published, edited since").waitFor();
    await page.getByText("232 entries", { exact: true }).waitFor();
    await look(page, "content-list");
  });

  await t.test("“New entry” leads to the editor of a new entry of the collection", async () => {
    assert.match(await page.getByRole("link", { name: "New entry" }).getAttribute("href"), /\/content\/notes\/new$/);
  });

  await t.test("with several languages there is a column for them, and a filter that has them", async () => {
    await row(page, "Über die Maschine").getByText("de", { exact: true }).waitFor();
    await filter(page, "Language", "de");
    await page.getByText("1 entry").first().waitFor();
    assert.equal(await table(page).getByRole("link").count(), 1);
    assert.match(page.url(), /filter=locale\.is\.de/);
    await page.getByRole("button", { name: /^Remove the filter: Language is de/ }).click();
    await page.getByText("232 entries", { exact: true }).waitFor();
  });

  await t.test("filters stand together in the address, survive a reload, are changed on their chips, and are cleared", async () => {
    await filter(page, "Status", "Draft");
    await page.getByText("231 entries", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const editor = page.getByRole("dialog");
    await editor.getByLabel("Field").selectOption({ label: "Pages" });
    await editor.getByLabel("Condition").selectOption({ label: "is at least" });
    await editor.getByRole("button", { name: "Apply filter" }).click();
    await editor.getByText("Enter a whole number.").waitFor();
    await editor.getByLabel("Value").fill("220");
    await page.keyboard.press("Enter");
    await page.getByText("10 entries", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("10 entries", { exact: true }).waitFor();
    await page.getByRole("list", { name: "Filters" }).getByRole("button", { name: /^Pages is at least 220/ }).click();
    await page.getByRole("dialog").getByLabel("Value").fill("225");
    await page.keyboard.press("Enter");
    await page.getByText("5 entries", { exact: true }).waitFor();
    await look(page, "content-filtered");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("232 entries", { exact: true }).waitFor();
  });

  await t.test("a field without an index is named as such, and cannot be chosen", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const option = page.getByRole("dialog").getByRole("option", { name: "Mood" });
    assert.equal(await option.evaluate((element) => element.disabled && element.parentElement.label), "Not indexed: ask an administrator to index them");
    await page.keyboard.press("Escape");
  });

  await t.test("what no index serves is said, with a way back", async () => {
    const error = { code: "UNINDEXED_FILTER", message: "made for the test" };
    await page.route(/\/content\/notes\?.*orderBy=status/, (route) => route.fulfill({ status: 400, json: { success: false, error } }));
    await ada.go("/content/notes?sort=status");
    await page.getByRole("alert").getByText("There are too many entries for this combination").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Clear filters" }).click();
    await row(page, "On the Engine").waitFor();
    await page.unrouteAll();
  });

  await t.test("the head of a column sorts by it, and the other way around, and says so", async () => {
    const head = page.getByRole("columnheader", { name: "Title" });
    await head.getByRole("button").click();
    await page.waitForURL(/sort=title/);
    await row(page, "Note 000").waitFor();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    await head.getByRole("button").click();
    await page.waitForURL(/sort=-title/);
    await row(page, "Über die Maschine").waitFor();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
  });

  await t.test("every entry is met once on the way down, of which few are drawn at a time", async () => {
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 000").waitFor();
    const seen = new Set();
    for (let step = 0; step < 200 && seen.size < 232; step++) {
      for (const title of await table(page).getByRole("link").allInnerTexts()) seen.add(title);
      assert.ok((await page.getByRole("row").count()) < 60);
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(60);
    }
    assert.equal(seen.size, 232);
  });

  await t.test("whoever comes back finds the list where it was", async () => {
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 000").waitFor();
    // Further down than the first page of the server goes.
    for (let step = 0; step < 100 && (await row(page, "Note 140").count()) === 0; step++) {
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(60);
    }
    await row(page, "Note 140").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL(`${site.admin}/`);
    await page.getByRole("columnheader").first().waitFor({ state: "detached" });
    await page.goBack();
    await row(page, "Note 140").waitFor();
  });

  await t.test("columns are chosen, and stay chosen in this browser", async () => {
    await ada.go("/content/notes");
    await row(page, "On the Engine").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("dialog", { name: "Columns" }).getByLabel("Pages", { exact: true }).check();
    await page.getByRole("dialog", { name: "Columns" }).getByLabel("Author", { exact: true }).uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Pages" }).waitFor();
    await row(page, "On the Engine").getByText("1,001").waitFor();
    await ada.go("/content/notes");
    await page.getByRole("columnheader", { name: "Pages" }).waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Author" }).count(), 0);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("button", { name: "Show the usual columns" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Author" }).waitFor();
  });

  await t.test("a view keeps what was asked, and brings it back", async () => {
    await ada.go("/content/notes?filter=status.is.published&sort=title");
    await page.getByText("1 entry").first().waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Out in the open");
    await page.getByRole("button", { name: "Save view" }).click();
    await ada.news("The view is saved.");
    await ada.go("/content/notes");
    await page.getByText("232 entries", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Out in the open", exact: true }).click();
    await page.getByText("1 entry").first().waitFor();
    assert.match(page.url(), /filter=status\.is\.published&sort=title/);
  });

  await t.test("a view follows what its owner changes, and is shared with everybody", async () => {
    const views = page.getByRole("dialog", { name: "Views" });
    await page.getByRole("columnheader", { name: "Title" }).getByRole("button").click();
    await page.waitForURL(/sort=-title/);
    await page.getByRole("button", { name: "Views" }).click();
    await views.getByRole("button", { name: "Update “Out in the open”" }).click();
    await ada.news("The view is saved.");
    await page.getByRole("button", { name: "Out in the open", exact: true }).click();
    await views.getByRole("button", { name: "Edit Out in the open" }).click();
    await page.getByRole("dialog", { name: "Edit the view" }).getByLabel("Share it with everyone who can see this list").check();
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("button", { name: "Out in the open", exact: true }).click();
    await views.getByRole("img", { name: "Shared" }).waitFor();
    await page.keyboard.press("Escape");
    const { inviteUrl } = await made("/auth/invite", { email: "jean@example.com", role: 30 });
    const jean = await accept(browser, site, inviteUrl, "Jean");
    await getStarted(jean.page);
    await jean.go("/content/notes");
    await jean.page.getByRole("button", { name: "Views" }).click();
    assert.equal(await jean.page.getByRole("button", { name: "Edit Out in the open" }).count(), 0);
    await jean.page.getByRole("button", { name: "Out in the open Shared" }).click();
    await jean.page.waitForURL(/filter=status\.is\.published&sort=-title/);
    await jean.close();
  });

  await t.test("by keyboard: into the rows, from row to row, ticked in ranges, and none again", async () => {
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 000").waitFor();
    await page.keyboard.press("j");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.waitForFunction(() => document.activeElement?.textContent === "Note 000");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    assert.equal(await focused(), "Note 002");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Actions for Note 004");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Selection" }).waitFor({ state: "detached" });
    await page.keyboard.press("End");
    await page.waitForFunction(() => /Note \d{3}/.test(document.activeElement?.textContent ?? "") && document.activeElement.textContent > "Note 090");
  });

  await t.test("a copy is a second entry", async () => {
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 000").waitFor();
    await choose(page, "Note 000", "Duplicate");
    await ada.news("A copy was made as a draft.");
    await row(page, "Note 000 (Copy)").waitFor();
    await page.getByText("233 entries", { exact: true }).waitFor();
  });

  await t.test("an entry is published, and taken back by whoever means it", async () => {
    await choose(page, "Note 001", "Publish");
    await ada.news("Published.");
    await row(page, "Note 001").getByText("Published").waitFor();
    await choose(page, "Note 001", "Unpublish");
    await page.getByRole("alertdialog", { name: "Unpublish Note 001?" }).getByRole("button", { name: "Unpublish" }).click();
    await row(page, "Note 001").getByText("Draft").waitFor();
  });

  await t.test("an entry is scheduled, not in the past, and in the zone of the site, which is named", async () => {
    await choose(page, "Note 002", "Schedule…");
    const dialog = page.getByRole("dialog", { name: "Schedule publication" });
    const at = dialog.getByRole("group", { name: "Publish at" });
    await dialog.getByText(/Time zone: New Zealand/).waitFor();
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await dialog.getByText("Choose a date and a time.").waitFor();
    await at.getByRole("textbox", { name: "Date" }).fill("01/01/2020");
    await at.getByRole("textbox", { name: "Time" }).fill("12:00");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await dialog.getByText("That time has passed. Choose a later one.").waitFor();
    await look(page, "dialog-schedule");
    await at.getByRole("textbox", { name: "Date" }).fill("01/01/2040");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await row(page, "Note 002").getByText("Scheduled").waitFor();
    assert.equal((await (await ada.ask("GET", `/content/notes/${drafts[2].id}`)).json()).data.item.scheduledAt, "2039-12-31T23:00:00.000Z");
  });

  await t.test("nobody publishes what was changed since they saw it", async () => {
    await row(page, "Note 003").waitFor();
    await ada.ask("PUT", `/content/notes/${drafts[3].id}`, { data: { title: "Note 003, changed" } });
    await choose(page, "Note 003", "Publish");
    await ada.news(/This was changed in the meantime/);
    await row(page, "Note 003, changed").getByText("Draft").waitFor();
  });

  await t.test("an entry goes to the trash by a question that names it, and comes back at once", async () => {
    await choose(page, "Note 004", "Move to trash…");
    await page.getByRole("alertdialog", { name: "Move Note 004 to the trash?" }).waitFor();
    await look(page, "dialog-trash");
    await page.getByRole("button", { name: "Move to trash" }).click();
    await row(page, "Note 004").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "Note 004").waitFor();
  });

  await t.test("the trash shows what is in it, tells for how long, and gives it back", async () => {
    await choose(page, "Note 005", "Move to trash…");
    await page.getByRole("button", { name: "Move to trash" }).click();
    await row(page, "Note 005").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Trash", exact: true }).click();
    await page.getByText(/Entries stay in the trash until/).waitFor();
    await look(page, "content-trash");
    await page.getByRole("button", { name: "Restore Note 005" }).click();
    await page.getByText("The trash is empty").waitFor();
    await page.getByRole("link", { name: "Entries", exact: true }).click();
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 005").waitFor();
  });

  await t.test("an entry is deleted for ever only by whoever means it, and then it is gone", async () => {
    const { id } = drafts[6];
    await choose(page, "Note 006", "Move to trash…");
    await page.getByRole("button", { name: "Move to trash" }).click();
    await row(page, "Note 006").waitFor({ state: "detached" });
    await ada.go("/content/notes/trash");
    await page.getByRole("button", { name: "Delete Note 006 permanently" }).click();
    await page.getByRole("alertdialog", { name: "Delete Note 006 permanently?" }).getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("The trash is empty").waitFor();
    assert.equal((await ada.ask("GET", `/content/notes/${id}`)).status(), 404);
  });

  await t.test("what fails in bulk is told with its reason and stays selected, and the rest is done", async () => {
    await field("approval", "Approval", "string", { required: true });
    for (const n of [10, 12]) await ada.ask("PUT", `/content/notes/${drafts[n].id}`, { data: { approval: "yes" } });
    await ada.go("/content/notes?sort=title");
    await row(page, "Note 010").waitFor();
    for (const n of [10, 11, 12]) await page.getByRole("checkbox", { name: `Select Note 0${n}` }).check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("alertdialog", { name: "Publish 3 entries?" }).getByRole("button", { name: "Publish" }).click();
    const result = page.getByRole("alertdialog", { name: "Publishing 3 entries" });
    await result.getByText("It did not work for 1 entry").waitFor();
    await result.getByText(/Note 011/).waitFor();
    await result.getByText("It stays selected.").waitFor();
    await look(page, "dialog-bulk-failed");
    // The news of what did work would lie over it.
    assert.equal(await page.getByText("2 entries were changed.").count(), 0);
    await result.getByRole("button", { name: "Close" }).click();
    await ada.news("2 entries were changed.");
    await page.getByText("1 selected").waitFor();
    assert.ok(await page.getByRole("checkbox", { name: "Select Note 011" }).isChecked());
    await row(page, "Note 010").getByText("Published").waitFor();
    await row(page, "Note 011").getByText("Draft").waitFor();
    await ada.ask("PUT", "/schema/collections/notes/fields/approval", { required: false });
  });

  await t.test("all that match are taken, and not only those that were loaded, and undone at once", async () => {
    await ada.go("/content/notes?sort=title&filter=pages.atLeast.100");
    await page.getByText("131 entries", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select the rows that are loaded" }).click();
    await page.getByRole("button", { name: "Select all 131 that match" }).click();
    await page.getByText("131 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select Note 101" }).uncheck();
    await page.getByText("130 selected").waitFor();
    await look(page, "content-selected");
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Move to trash…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("1 entry", { exact: true }).first().waitFor({ timeout: 90_000 });
    await row(page, "Note 101").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("131 entries", { exact: true }).waitFor({ timeout: 90_000 });
  });

  await t.test("work on many goes on in the background, tells what came of it, and is undone", async () => {
    await ada.ask("POST", `/content/notes/${drafts[150].id}/publish`, {});
    await ada.go("/content/notes?sort=title&filter=pages.atLeast.100");
    await page.getByText("131 entries", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select the rows that are loaded" }).click();
    await page.getByRole("button", { name: "Select all 131 that match" }).click();
    // Nothing comes to rest any more while an answer is held.
    await quiet(page);
    let goOn;
    const held = new Promise((resolve) => (goOn = resolve));
    await page.route("**/api/bulk/*", (route) => held.then(() => route.continue()));
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Unpublish", exact: true }).click();
    await page.getByRole("alertdialog", { name: "Unpublish 131 entries?" }).getByRole("button", { name: "Unpublish" }).click();
    const progress = page.getByRole("alertdialog", { name: "Unpublishing 131 entries" });
    await progress.getByRole("button", { name: "Stop" }).waitFor();
    await look(page, "dialog-bulk");
    await progress.getByRole("button", { name: "Continue in the background" }).click();
    await progress.waitFor({ state: "detached" });
    goOn();
    await ada.news("2 entries were changed.");
    await page.getByRole("button", { name: "Undo" }).click();
    await ada.news("Undone.");
    await page.unroute("**/api/bulk/*");
  });

  await t.test("whoever goes back from an entry finds the list as it was", async () => {
    await ada.go("/content/notes?sort=title&filter=pages.atLeast.100");
    await row(page, "Note 100").waitFor();
    await page.evaluate(() => window.scrollTo(0, 2000));
    await row(page, "Note 145").click();
    await page.getByRole("heading", { level: 1, name: "Note 145" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Notes", exact: true }).click();
    await row(page, "Note 145").waitFor();
    assert.match(page.url(), /filter=pages\.atLeast\.100/);
    assert.ok(Math.abs((await page.evaluate(() => window.scrollY)) - 2000) < 5);
  });

  await t.test("all content has what was changed last, of every collection", async () => {
    await made("/schema/collections", { slug: "pages", label: "Pages" });
    await made("/schema/collections/pages/fields", { slug: "title", label: "Title", type: "string" });
    await made("/content/pages", { data: { title: "Imprint" } });
    await ada.go("/content");
    const imprint = row(page, "Imprint");
    await imprint.getByRole("link", { name: "Pages" }).waitFor();
    await look(page, "content-all");
  });

  await t.test("a collection that is not there is said to be none", async () => {
    await ada.go("/content/nothing");
    await page.getByText("There is no such collection").waitFor();
  });

  await t.test("an editor is offered what editors may do, and not what only administrators may", async () => {
    const { inviteUrl } = await made("/auth/invite", { email: "grace@example.com", role: 40 });
    const grace = await accept(browser, site, inviteUrl, "Grace");
    await getStarted(grace.page);
    await ada.ask("DELETE", `/content/notes/${drafts[7].id}`);
    await grace.go("/content/notes/trash");
    await grace.page.getByRole("button", { name: "Restore Note 007" }).waitFor();
    assert.equal(await grace.page.getByRole("button", { name: /permanently/ }).count(), 0);
    await grace.close();
  });

  ada.mustNotHaveComplained();
});
