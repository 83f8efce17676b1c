// Whoever plans sees on a board where entries stand and in a calendar when they go out, and moves both: by pointer and by keys, with a way back, and with no
// harm to what others did meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { quiet } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { DESK, look, PHONE, violations } from "./look.mjs";
import { setStage } from "./stage.mjs";

/** More drafts than two pages of a column hold, which has 50 at a time. */
const NOTES = 120;

// Its clocks are put forward on 25 March 2040.
const stage = setStage(() => Promise.resolve({ config: '[site]\nlocales = ["en", "de"]\ntime_zone = "Europe/Berlin"\n', close() {} }));

test("publications are planned on a board and in a calendar", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const asked = async (method, path, body) => {
    const answer = await ada.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const made = async (collection, title, more = {}) => (await asked("POST", `/content/${collection}`, { data: { title }, ...more })).item;
  const entry = async ({ type, id }) => (await asked("GET", `/content/${type}/${id}`)).item;
  const planned = async (collection, title, scheduledAt) => {
    const item = await made(collection, title);
    await asked("POST", `/content/${collection}/${item.id}/schedule`, { scheduledAt });
    return item;
  };

  const column = (name) => page.getByRole("region", { name, exact: true });
  const card = (name, title) => column(name).getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });
  const menuOf = (title) => page.getByRole("button", { name: `Actions for ${title}`, exact: true });
  const day = (date) => page.locator(`[data-day="${date}"]`);
  const chip = (date, title) => day(date).getByRole("button", { name: new RegExp(` ${title}$`) });
  /** Drags as a hand does: something moves before there is anywhere to go. */
  const drag = async (what, where) => {
    await what.hover();
    await page.mouse.down();
    const { x, y } = await what.boundingBox();
    await page.mouse.move(x + 20, y + 20, { steps: 4 });
    await where.hover();
    await where.hover({ position: { x: 30, y: 60 } });
    await page.mouse.up();
  };
  const undo = () => page.getByRole("button", { name: "Undo" }).last().click();
  const choose = async (title, words) => {
    await menuOf(title).click();
    await page.getByRole("menuitem", { name: words }).click();
  };
  /** What is sent and asked while something is done. */
  const sent = async (work) => {
    const requests = [];
    const note = (request) => request.url().includes("/_cms/api/") && requests.push(`${request.method()} ${new URL(request.url()).pathname.replace("/_cms/api", "")}`);
    await quiet(page);
    page.on("request", note);
    await work();
    await quiet(page);
    page.off("request", note);
    return requests;
  };

  await t.test("where there are no collections, both say what is missing", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board", exact: true }).click();
    await page.getByText("No collections yet").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calendar" }).click();
    await page.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
    await page.getByText("No collections yet").waitFor();
  });

  const supports = ["drafts", "revisions", "scheduling"];
  const title = { slug: "title", type: "string", label: "Title" };
  await asked("POST", "/schema/collections", { slug: "notes", label: "Notes", supports, fields: [title] });
  await asked("POST", "/schema/collections", { slug: "news", label: "News of the institute", supports, fields: [title, { slug: "source", type: "string", label: "Source" }] });

  await t.test("a board and a calendar without entries say how they are filled", async () => {
    await ada.go("/board");
    await column("Draft").getByText("What is written and not public is here.").waitFor();
    await ada.go("/calendar?day=2040-03-01");
    await page.getByText("Nothing happens in this time").waitFor();
  });

  for (let n = 0; n < NOTES; n++) await made("notes", `Note ${String(n).padStart(3, "0")}`);
  const long = await made("notes", "A title that goes on and on ".repeat(10).trim());
  const arabic = await made("notes", "عنوان بالعربية", { locale: "de" });
  const incomplete = await made("news", "Without a source");
  await asked("PUT", "/schema/collections/news/fields/source", { required: true });
  const live = await made("notes", "On the Engine");
  await asked("POST", `/content/notes/${live.id}/publish`, {});
  await asked("PUT", `/content/notes/${live.id}`, { data: { title: "On the Engine, again" } });

  await t.test("every entry stands in its column, with whose it is, and with what waits", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Board", exact: true }).click();
    await card("Draft", "Note 119").getByText("Notes").waitFor();
    await card("Draft", "Note 119").getByText("Ada Lovelace").waitFor();
    await card("Draft", arabic.data.title).getByText("de", { exact: true }).waitFor();
    await card("Draft", long.data.title).waitFor();
    await card("Published", "On the Engine, again").getByText("Published, edited since").waitFor();
    await look(page, "board");
  });

  await t.test("a column goes on as far as there are entries, and draws those that are looked at", async () => {
    const scroller = column("Draft").locator("> div");
    for (let tries = 0; (await card("Draft", "Note 000").count()) === 0; tries++) {
      assert.ok(tries < 200, "the end of the column does not come");
      await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: "instant" }));
      await page.waitForTimeout(50);
    }
    await column("Draft").getByText("123 entries", { exact: true }).waitFor({ state: "attached" });
    assert.ok((await column("Draft").getByRole("article").count()) < 60);
    await scroller.evaluate((element) => element.scrollTo({ top: 0, behavior: "instant" }));
  });

  await t.test("a card that is dragged to “Published” is public, by one request, and is a draft again after a press of “Undo”", async () => {
    const note = (await asked("GET", "/content/notes?fieldFilters={}&limit=1&orderBy=createdAt&order=asc")).items[0];
    assert.equal(note.data.title, "Note 000");
    await card("Draft", "Note 119").waitFor();
    const requests = await sent(async () => {
      await drag(card("Draft", "Note 119"), column("Published"));
      await card("Published", "Note 119").waitFor();
    });
    assert.equal(requests.length, 1, requests.join());
    assert.match(requests[0], /^POST .*\/publish$/);
    await undo();
    await card("Draft", "Note 119").waitFor();
    const { items } = await asked("GET", "/content?limit=1&collections=notes");
    assert.deepEqual([items[0].title, items[0].status, items[0].publishedAt], ["Note 119", "draft", null]);
  });

  await t.test("by keys alone an entry is scheduled, and the keyboard goes along to its new column", async () => {
    await card("Draft", "Note 118").getByRole("link").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Note 117");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Schedule…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Schedule publication" });
    await dialog.getByRole("textbox", { name: "Date" }).fill("24/03/2040");
    await dialog.getByRole("textbox", { name: "Time" }).fill("09:00");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await card("Scheduled", "Note 117").getByText(/24 Mar 2040, 0?9:00/).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("[data-column=scheduled]") !== null);
    await choose("Note 117", "Unschedule");
    await card("Draft", "Note 117").waitFor();
    await undo();
    await card("Scheduled", "Note 117").getByText(/24 Mar 2040, 0?9:00/).waitFor();
  });

  await t.test("a time that has passed is refused before anything is sent", async () => {
    await choose("Note 117", "Move to another day…");
    const dialog = page.getByRole("dialog", { name: "Move to another day" });
    await dialog.getByRole("textbox", { name: "Date" }).fill("24/03/2020");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("That time has passed. Choose a later one.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await t.test("what the server refuses is told on the card, which stays where it is", async () => {
    await choose("Without a source", "Publish");
    await card("Draft", "Without a source").getByRole("alert").getByText("Some of its fields need a look.").waitFor();
    assert.equal((await entry(incomplete)).status, "draft");
    await look(page, "board-refused", [DESK]);
  });

  await t.test("nobody publishes what somebody else changed meanwhile: the card shows it as it is then", async () => {
    const { items } = await asked("GET", "/content?limit=100&collections=notes&status=draft");
    const note = items.find(({ title }) => title === "Note 116");
    await card("Draft", "Note 116").waitFor();
    await asked("PUT", `/content/notes/${note.id}`, { data: { title: "Note 116, changed" } });
    await choose("Note 116", "Publish");
    await card("Draft", "Note 116, changed").getByRole("alert").getByText("It was changed in the meantime. This is how it stands now.").waitFor();
    await choose("Note 116, changed", "Publish");
    await card("Published", "Note 116, changed").waitFor();
    // Somebody else goes on with it: what they did stays.
    await asked("PUT", `/content/notes/${note.id}`, { data: { title: "Note 116, theirs" } });
    await undo();
    await ada.news(/It was changed in the meantime/);
    const now = await entry(note);
    assert.deepEqual([now.status, now.data.title], ["published", "Note 116, theirs"]);
  });

  await t.test("changes of what is public go out only after a question, as they cannot be taken back", async () => {
    await choose("On the Engine, again", "Publish changes…");
    const question = page.getByRole("alertdialog", { name: /Publish the changes of/ });
    await question.getByRole("button", { name: "Publish changes" }).click();
    await ada.news("The changes are public.");
    await card("Published", "On the Engine, again").getByText("Published, edited since").waitFor({ state: "detached" });
    assert.deepEqual([(await entry(live)).hasDraft, (await entry(live)).data.title], [false, "On the Engine, again"]);
  });

  await t.test("the board is narrowed to a collection, in its address, too", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const editor = page.getByRole("dialog", { name: "New filter" });
    await editor.getByLabel("News of the institute").check();
    await editor.getByRole("button", { name: "Apply filter" }).click();
    await card("Draft", "Note 115").waitFor({ state: "detached" });
    await card("Draft", "Without a source").waitFor();
    assert.match(page.url(), /filter=collection\.in\.news/);
    await page.reload();
    await card("Draft", "Without a source").waitFor();
    await column("Published").getByText("Nothing matches").waitFor();
    await column("Published").getByRole("button", { name: "Clear filters" }).click();
    await card("Draft", "Note 115").waitFor();
  });

  await t.test("on a phone there is a column at a time, and everything is done by the menu", async () => {
    await page.setViewportSize(PHONE);
    await page.getByRole("tab", { name: "Scheduled" }).click();
    await page.getByRole("link", { name: "Note 117", exact: true }).waitFor();
    await look(page, "board-phone", [PHONE]);
    await choose("Note 117", "Unpublish later…");
    const dialog = page.getByRole("dialog", { name: "Unpublish later" });
    await dialog.getByRole("textbox", { name: "Date" }).fill("02/04/2040");
    await dialog.getByRole("textbox", { name: "Time" }).fill("18:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(/until 2 Apr 2040/).waitFor();
    await page.setViewportSize(DESK);
  });

  for (let n = 0; n < 7; n++) await planned("notes", `Busy ${n}`, `2040-03-10T0${n}:00:00Z`);

  await t.test("the calendar shows what is planned on its day, by the clocks of the site", async () => {
    await ada.go("/calendar?day=2040-03-01");
    await page.getByText(/Times are those of the site: Central European Time/).waitFor();
    await page.getByRole("heading", { level: 2, name: "March 2040" }).waitFor();
    await day("2040-03-24").getByRole("button", { name: /^Will be published 0?9:00 Note 117$/ }).waitFor();
    await day("2040-04-01").waitFor();
    assert.deepEqual((await page.getByRole("columnheader").allInnerTexts()).map((name) => name.slice(0, 3)), ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
    await look(page, "calendar-month");
  });

  await t.test("what is dragged to another day keeps its time, though clocks are put forward in between, and nothing is asked for again", async () => {
    await chip("2040-03-24", "Note 117").waitFor();
    const requests = await sent(async () => {
      await drag(chip("2040-03-24", "Note 117"), day("2040-03-26"));
      await chip("2040-03-26", "Note 117").waitFor();
    });
    assert.equal(requests.length, 1, requests.join());
    const { items } = await asked("GET", "/calendar?from=2040-03-20T00:00:00Z&to=2040-03-31T00:00:00Z");
    assert.deepEqual(items.map(({ at, entry }) => [at, entry.title]), [["2040-03-26T07:00:00.000Z", "Note 117"]]);
    await undo();
    await chip("2040-03-24", "Note 117").waitFor();
  });

  await t.test("by keys it opens to what is known of it, and moves to another day with the same time", async () => {
    await day("2040-03-23").getByRole("link").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog", { name: "Note 117" });
    await details.getByText(/Will be unpublished on 2 Apr 2040/).waitFor();
    assert.deepEqual(await violations(page), []);
    await details.getByRole("button", { name: "Move to another day…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Move to another day" });
    await dialog.getByRole("textbox", { name: "Date" }).fill("27/03/2040");
    await page.keyboard.press("Enter");
    await chip("2040-03-27", "Note 117").waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("[data-day='2040-03-27']") !== null);
    const [{ at }] = (await asked("GET", "/calendar?from=2040-03-20T00:00:00Z&to=2040-03-31T00:00:00Z")).items;
    assert.equal(at, "2040-03-27T07:00:00.000Z");
  });

  await t.test("nothing is planned behind its own end, nor for a day that has passed", async () => {
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("heading", { level: 2, name: "April 2040" }).waitFor();
    await drag(chip("2040-03-27", "Note 117"), day("2040-04-10"));
    await ada.news(/It would be unpublished before it is published/);
    await day("2040-03-27").getByRole("button", { name: /Note 117 It did not work.$/ }).waitFor();
    const soon = new Date(Date.now() + 40 * 86_400_000).toISOString();
    await planned("notes", "Soon", soon);
    await ada.go(`/calendar?day=${soon.slice(0, 10)}&view=week`);
    await page.getByRole("button", { name: / Soon$/ }).waitFor();
    await page.getByRole("button", { name: "Today" }).click();
    await page.locator("[aria-current=date]").waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await planned("notes", "Tomorrow", tomorrow);
    await ada.go(`/calendar?day=${tomorrow.slice(0, 10)}`);
    const there = page.getByRole("button", { name: / Tomorrow$/ });
    await there.waitFor();
    // The first day of its weeks has passed, unless the month and a week begin tomorrow.
    const first = await page.locator("[data-day]").first().getAttribute("data-day");
    await drag(there, day(first));
    if (first < new Date(Date.now() - 86_400_000).toISOString()) await ada.news("That time has passed. Choose a later one.");
    await there.waitFor();
  });

  await t.test("a busy day says how much more there is, which is on a page of its own, and the way leads back", async () => {
    await ada.go("/calendar?day=2040-03-01");
    await chip("2040-03-10", "Busy 0").waitFor();
    await day("2040-03-10").getByRole("link", { name: "+4 more" }).click();
    await page.getByRole("heading", { level: 2, name: /10 March 2040/ }).waitFor();
    await page.getByRole("link", { name: "Busy 6", exact: true }).waitFor();
    assert.equal(await page.getByRole("main").getByRole("link", { name: /^Busy/ }).count(), 7);
    await look(page, "calendar-day");
    await page.goBack();
    await page.getByRole("heading", { level: 2, name: "March 2040" }).waitFor();
    await ada.go("/calendar?day=2040-03-10&view=week");
    await chip("2040-03-10", "Busy 6").waitFor();
    await look(page, "calendar-week");
    await ada.go("/calendar?day=2040-03-01");
  });

  await t.test("whoever comes back from an entry sees it as they left it", async () => {
    await chip("2040-03-10", "Busy 1").click();
    await page.getByRole("dialog", { name: "Busy 1" }).getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { level: 1, name: "Busy 1" }).waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("Busy one");
    await page.waitForFunction(() => /^(Saved \d|All changes saved)/m.test(document.querySelector("[role=status]:has(svg)")?.innerText ?? ""));
    await page.goBack();
    await chip("2040-03-10", "Busy one").waitFor();
  });

  await t.test("the agenda tells it line by line, and a phone has nothing else", async () => {
    await page.getByRole("button", { name: "Agenda" }).click();
    await page.getByRole("region", { name: /10 March/ }).getByRole("link", { name: "Busy one", exact: true }).waitFor();
    await page.getByRole("region", { name: /2 April/ }).waitFor({ state: "detached" });
    await page.setViewportSize(PHONE);
    await ada.go("/calendar?day=2040-03-20");
    const april = page.getByRole("region", { name: /2 April/ });
    await april.getByRole("img", { name: "Will be unpublished" }).waitFor();
    await look(page, "calendar-phone", [PHONE]);
    await april.getByRole("button", { name: "Actions for Note 117" }).click();
    await page.getByRole("menuitem", { name: "Keep published" }).click();
    await april.waitFor({ state: "detached" });
    await undo();
    await april.waitFor();
    await page.setViewportSize(DESK);
  });

  await t.test("filters say what is looked at: only what ends", async () => {
    await ada.go("/calendar?day=2040-04-01&filter=kind.in.unpublish");
    await day("2040-04-02").getByRole("button", { name: /^Will be unpublished 18:00 Note 117$/ }).waitFor();
    assert.equal(await page.locator("[data-control=chip]").count(), 1);
  });

  await t.test("in Arabic the days run from right to left, with the names that people there use", async () => {
    await page.evaluate(() => localStorage.setItem("cms-language", "ar"));
    await ada.go("/calendar?day=2040-03-01");
    await page.getByRole("heading", { level: 1, name: "التقويم" }).waitFor();
    await chip("2040-03-10", "Busy 0").waitFor();
    const [first, second] = await Promise.all(["2040-03-12", "2040-03-13"].map((date) => day(date).boundingBox()));
    assert.ok(first.x > second.x);
    assert.deepEqual(await violations(page), []);
    await ada.go("/board");
    await page.getByRole("heading", { level: 1, name: "اللوحة" }).waitFor();
    await page.getByRole("region", { name: "مسودة" }).getByRole("article").first().waitFor();
    assert.deepEqual(await violations(page), []);
  });
  await page.evaluate(() => localStorage.removeItem("cms-language"));

  await t.test("who may not publish sees everything and is offered nothing, and who reads no drafts is told so", async () => {
    const invited = async (email, role, name) => {
      const { inviteUrl } = await asked("POST", "/auth/invite", { email, role });
      const somebody = await accept(browser, site, inviteUrl, name);
      await getStarted(somebody.page);
      return somebody;
    };
    const grace = await invited("grace@example.com", 20, "Grace");
    await grace.go("/board");
    await grace.page.getByRole("button", { name: "Actions for Note 117" }).click();
    assert.deepEqual(await grace.page.getByRole("menuitem").allInnerTexts(), ["Open"]);
    assert.equal(await grace.page.locator("article[draggable=true]").count(), 0);
    await grace.close();
    const reader = await invited("reader@example.com", 10, "Reader");
    await reader.go("/");
    await reader.page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await reader.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /Board|Calendar/ }).count(), 0);
    for (const [path, name] of [["/board", "Board"], ["/calendar", "Calendar"]]) {
      await reader.go(path);
      await reader.page.getByRole("heading", { level: 1, name }).waitFor();
      await reader.page.getByText("You cannot see this").waitFor();
    }
    await reader.close();
  });

  await t.test("a failure is told with another try", async () => {
    await page.route(/\/_cms\/api\/calendar/, (route) => route.fulfill({ status: 500, json: { success: false, error: { code: "INTERNAL_ERROR", message: "made for the test" } } }));
    await ada.go("/calendar?day=2040-03-01");
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await chip("2040-03-10", "Busy 0").waitFor();
  });

  ada.mustNotHaveComplained();
});
