// Where people begin: the dashboard, which says what there is to do and is arranged by whoever looks at it, and the palette, which finds and does things.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { quiet } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { look, PHONE, violations } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(() => ({ config: '[site]\ntime_zone = "Europe/Berlin"\n', close: () => undefined }));

/** The longest title that is kept. */
const LONG = "The Analytical Engine weaves algebraical patterns just as the Jacquard loom weaves flowers and leaves. ".repeat(3).slice(0, 300).trim();
const HOUR = 3_600_000;
const inHours = (hours) => new Date(Date.now() + hours * HOUR).toISOString();
/** More than the palette knows without asking. */
const MANY = 120;

const FIELDS = [
  { slug: "title", type: "string", label: "Title" },
  { slug: "summary", type: "text", label: "Summary" },
];

test("people begin at the dashboard and with the palette", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const asked = async (somebody, method, path, body) => {
    const answer = await somebody.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const card = (name) => page.getByRole("region", { name, exact: true });
  const titles = (name) => card(name).getByRole("list").getByRole("link").allInnerTexts();
  const steps = () => card("First steps").getByRole("listitem").getByRole("paragraph").allInnerTexts();
  const headings = async () => (await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts()).filter((name) => name !== "First steps");
  const write = (somebody, title, collection = "essays") => asked(somebody, "POST", `/content/${collection}`, { data: { title } }).then(({ item }) => item);
  const box = () => page.getByRole("combobox", { name: "Search or jump to…" });
  const option = (name) => page.getByRole("option", { name });

  /** Opens the palette, with what it knows. */
  async function palette(typed = "") {
    await page.locator("[data-page-heading]").waitFor();
    await page.keyboard.press("Control+k");
    await box().waitFor();
    await page.getByRole("listbox", { name: "Results" }).waitFor();
    if (typed) await page.keyboard.type(typed);
  }

  await t.test("an empty site says in every card what will be there, and what is done first", async () => {
    await card("My drafts").getByText("You have no drafts.").waitFor();
    await card("Site health").getByText("The server is well").waitFor();
    for (const text of ["Nothing was written yet.", "Nothing is scheduled.", "Everything that was due is public.", "Nothing is under way, and nothing failed."]) await page.getByText(text).waitFor();
    await card("First steps").getByText("0 of 5 done").waitFor();
    await look(page, "home-empty");
    await card("First steps").getByRole("link", { name: "New collection" }).click();
    const dialog = page.getByRole("dialog", { name: "New collection" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await t.test("steps go when they are done", async () => {
    for (const [slug, label, labelSingular] of [["essays", "Essays", "Essay"], ["letters", "Letters", "Letter"]]) {
      await asked(ada, "POST", "/schema/collections", { slug, label, labelSingular, supports: ["drafts", "revisions", "scheduling"], fields: FIELDS });
    }
    await ada.go("/");
    await card("First steps").getByText("1 of 5 done").waitFor();
    await card("First steps").getByRole("link", { name: "Write", exact: true }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("On looms");
    await page.getByText(/^Saved/).first().waitFor();
    await ada.go("/");
    await card("First steps").getByText("2 of 5 done").waitFor();
    await card("First steps").getByRole("link", { name: "Open the draft" }).click();
    await page.getByRole("heading", { level: 1, name: "On looms" }).waitFor();
    await asked(ada, "POST", "/auth/invite", { email: "grace@example.com", role: 40 });
    await ada.go("/");
    await card("First steps").getByText("3 of 5 done").waitFor();
    assert.deepEqual((await steps()).filter((_, n) => n % 2 === 0), ["Publish it", "Add a second passkey"]);
  });

  let grace;
  await t.test("each card has what is its own, asked for once", async () => {
    const { inviteUrl } = await asked(ada, "POST", "/auth/invite", { email: "joan@example.com", role: 40 });
    grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await getStarted(grace.page);
    await write(ada, LONG);
    await write(ada, "مرحبا بالعالم", "letters");
    await write(grace, "A draft of Grace");
    for (const [title, hours, who] of [["In two days", 48, ada], ["In an hour", 1, grace], ["In a month", 700, ada]]) {
      const { id } = await write(who, title);
      await asked(who, "POST", `/content/essays/${id}/schedule`, { scheduledAt: inHours(hours) });
    }
    const requests = [];
    const note = (request) => request.url().includes("/_cms/api/") && requests.push(request.url());
    page.on("request", note);
    await ada.go("/");
    await card("Scheduled next").getByRole("link", { name: "In an hour" }).waitFor();
    await quiet(page);
    page.off("request", note);
    assert.equal(new Set(requests).size, requests.length, `something is asked for twice: ${requests.join(" ")}`);
    assert.ok(requests.length <= 18, `${requests.length}: ${requests.join(" ")}`);
    assert.deepEqual(await titles("Scheduled next"), ["In an hour", "In two days", "In a month"]);
    assert.deepEqual(await titles("My scheduled entries"), ["In two days", "In a month"]);
    assert.deepEqual(await titles("My drafts"), ["مرحبا بالعالم", LONG, "On looms"]);
    assert.deepEqual(await titles("Drafts of others"), ["A draft of Grace"]);
    assert.equal((await titles("Recent changes")).length, 5);
    await look(page, "home-dashboard");
  });

  await t.test("what is late is told apart, with the reason for whoever asks", async () => {
    // A server publishes what is due within seconds: that one failed is made in the browser's network.
    const list = /\/_cms\/api\/content\?.*status=scheduled/;
    await page.route(list, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.data.items.find(({ title }) => title === "In an hour").scheduledAt = inHours(-3);
      await route.fulfill({ response, json: answer });
    });
    const one = /\/_cms\/api\/content\/essays\/[^/]+\?fields=$/;
    await page.route(one, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.data.item.scheduleFailure = { attempts: 5, lastError: "`data.summary` is required", nextAttemptAt: null };
      await route.fulfill({ response, json: answer });
    });
    await ada.go("/");
    await card("Not published on time").getByRole("link", { name: "In an hour" }).waitFor();
    await card("Not published on time").getByRole("button", { name: "Why?" }).click();
    await card("Not published on time").getByText("`data.summary` is required").waitFor();
    assert.equal(await page.getByText("No server publishes just now").count(), 0, "the server is well");
    await look(page, "home-late");
    await page.unroute(list);
    await page.unroute(one);
  });

  await t.test("a card that cannot be loaded says so, and keeps the others", async () => {
    const path = /\/_cms\/api\/admin\/jobs(\?|$)/;
    await page.route(path, (route) => route.fulfill({ status: 500, json: { success: false, error: { code: "INTERNAL_ERROR", message: "made for the test" } } }));
    await ada.go("/");
    await card("Jobs").getByRole("alert").getByText("This could not be loaded").waitFor();
    await card("Site health").getByText("The server is well").waitFor();
    await look(page, "home-failed", [PHONE]);
    await page.unroute(path);
    await card("Jobs").getByRole("button", { name: "Try again" }).click();
    await card("Jobs").getByText("Nothing is under way").waitFor();
  });

  await t.test("cards are put into another order and hidden, by keys and by pointer, stay so, and come back", async () => {
    const before = await headings();
    await page.getByRole("button", { name: "Arrange" }).click();
    const dialog = page.getByRole("dialog", { name: "Arrange the dashboard" });
    await dialog.waitFor();
    await look(page, "home-arrange");
    await dialog.getByRole("button", { name: "Move Site health" }).focus();
    for (const key of ["Space", "Home", "Space"]) await page.keyboard.press(key);
    await dialog.getByRole("switch", { name: "Show “For programs and agents”" }).click();
    await dialog.getByRole("button", { name: "Move My drafts" }).dragTo(dialog.getByRole("listitem").filter({ hasText: "Security" }));
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    const changed = await headings();
    assert.equal(changed[0], "Site health");
    assert.ok(!changed.includes("For programs and agents"));
    assert.ok(changed.indexOf("My drafts") > changed.indexOf("Jobs"), changed.join());
    await page.reload();
    await card("Site health").waitFor();
    assert.deepEqual(await headings(), changed);
    await page.getByRole("button", { name: "Arrange" }).click();
    await dialog.getByRole("button", { name: "Reset" }).click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await headings(), before);
  });

  await t.test("steps that nobody wants are put away", async () => {
    await card("First steps").getByRole("button", { name: "Hide the first steps" }).click();
    await card("First steps").waitFor({ state: "detached" });
    await page.reload();
    await card("My drafts").waitFor();
    await quiet(page);
    assert.equal(await card("First steps").count(), 0);
  });

  await t.test("an editor sees nothing of running the site, and writes with one press", async () => {
    await grace.go("/");
    await grace.page.getByRole("region", { name: "Drafts of others" }).getByRole("link", { name: "On looms" }).waitFor();
    for (const name of ["Site health", "Jobs"]) assert.equal(await grace.page.getByRole("region", { name }).count(), 0);
    await grace.page.getByRole("link", { name: "New entry in Essays" }).click();
    await grace.page.getByRole("textbox", { name: "Title" }).waitFor();
  });

  let geometry;
  await t.test("the palette takes letters from its first moment, and finds what changed without its accents", async () => {
    ({ id: geometry } = await write(ada, "Éléments de géométrie"));
    await ada.go("/users");
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("elements geo");
    await option("Éléments de géométrie").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Éléments de géométrie" }).waitFor();
  });

  await t.test("the palette finds entries that changed long ago, with few requests", async () => {
    for (let n = 0; n < MANY; n += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => write(grace, `Letter ${n + k}`, "letters")));
    await ada.go("/users");
    await palette();
    await quiet(page);
    const requests = [];
    const note = (request) => /[?&](fieldFilters|search)=/.test(request.url()) && requests.push(request.url());
    page.on("request", note);
    await page.keyboard.type("on looms");
    await option("On looms").waitFor();
    await quiet(page);
    page.off("request", note);
    assert.ok(requests.length > 0 && requests.length <= 3 * "on looms".length, `${requests.length}`);
    await look(page, "home-palette-found");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "On looms" }).waitFor();
  });

  await t.test("the open entry is published and taken off again from the palette", async () => {
    await palette("publish");
    await page.getByRole("option", { name: "Publish", exact: true, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("main").getByText("Published", { exact: true }).first().waitFor();
    await palette("unpub");
    await page.getByRole("option", { name: "Unpublish", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish" }).click();
    await ada.news("No longer public");
  });

  await t.test("what was chosen last comes first, by its name of now, and not what is gone", async () => {
    await palette();
    const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
    await recent.filter({ hasText: "On looms" }).waitFor();
    await recent.filter({ hasText: "Éléments de géométrie" }).waitFor();
    await page.keyboard.press("Escape");
    await asked(ada, "DELETE", `/content/essays/${geometry}`);
    await ada.go("/users");
    await palette();
    await recent.filter({ hasText: "On looms" }).waitFor();
    await quiet(page);
    assert.equal(await recent.filter({ hasText: "Éléments" }).count(), 0);
    assert.equal(await page.evaluate(() => Object.values(localStorage).some((kept) => kept.includes("looms"))), false, "no title is kept in the browser");
    await look(page, "home-palette");
    await page.keyboard.press("Escape");
  });

  await t.test("nonsense says what to try, and a failed search is told and tried again", async () => {
    await palette("xyzzy");
    await page.getByText("Nothing matches “xyzzy”.").waitFor();
    await page.getByText(/^Try a word of a title/).waitFor();
    await look(page, "home-palette-nothing", [PHONE]);
    await page.route(/fieldFilters=/, (route) => route.fulfill({ status: 503, json: { success: false, error: { code: "BUSY", message: "made for the test" } } }));
    await box().fill("looms");
    await page.getByRole("dialog").getByRole("alert").getByText("Not everything could be searched.").waitFor();
    await page.unroute(/fieldFilters=/);
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
  });

  await t.test("a long title is cut in the palette, and an option opens in a new tab", async () => {
    await palette("weaves alg");
    const row = option(/^The Analytical Engine/);
    await row.waitFor();
    assert.ok(await row.evaluate((element) => element.scrollWidth <= element.clientWidth && element.clientHeight < 60));
    const [tab] = await Promise.all([ada.context.waitForEvent("page"), page.keyboard.press("Control+Enter")]);
    await tab.getByRole("heading", { level: 1, name: /^The Analytical Engine/ }).waitFor();
    await tab.close();
  });

  await t.test("a collection and a theme are begun and chosen from the palette", async () => {
    await palette("new collection");
    await page.getByRole("option", { name: "New collection", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New collection" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await palette("night");
    await page.getByRole("option", { name: "Dark theme", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.evaluate(() => localStorage.removeItem("cms-theme"));
  });

  await t.test("an editor finds no people and none of what administrators do, and nothing of what others chose", async () => {
    await grace.go("/");
    await grace.page.locator("[data-page-heading]").waitFor();
    await grace.page.keyboard.press("Control+k");
    await grace.page.getByRole("option", { name: "New entry in Essays" }).waitFor();
    for (const name of ["Users", "New collection", "Invite somebody", "Audit log"]) assert.equal(await grace.page.getByRole("option", { name }).count(), 0, name);
    assert.equal(await grace.page.getByRole("group", { name: "Recent" }).count(), 0);
    const people = [];
    grace.page.on("request", (request) => request.url().includes("/admin/users") && people.push(request.url()));
    await grace.page.keyboard.type("ada lovelace");
    await grace.page.getByText("Nothing matches “ada lovelace”.").waitFor();
    await setTimeout(300);
    assert.deepEqual(people, []);
  });

  await t.test("whoever reads Arabic has all of it in Arabic, from right to left", async () => {
    await ada.go("/");
    await palette("العربية");
    await option("العربية").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.dir === "rtl");
    await page.getByRole("heading", { level: 2, name: "مسوداتي" }).waitFor();
    await quiet(page);
    const words = await page.getByRole("main").innerText();
    for (const english of ["drafts", "Scheduled", "Recent", "Nothing"]) assert.ok(!words.includes(english), english);
    await look(page, "home-arabic");
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "المظهر الداكن" }).waitFor();
    await page.keyboard.type("مدخل جديد");
    await page.getByRole("option", { name: /مدخل جديد/ }).first().waitFor();
    await quiet(page);
    assert.deepEqual(await violations(page), []);
    await look(page, "home-palette-arabic");
  });

  ada.mustNotHaveComplained();
  grace.mustNotHaveComplained();
});
