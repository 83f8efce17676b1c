// The page of an entry stands beside its editor and follows what is written; a site that does not play along is told why; links to it are made, listed and revoked.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PATIENCE, person } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { openLittleSite } from "./littleSite.mjs";
import { DESK, look, PHONE } from "./look.mjs";
import { openSite } from "./site.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(openLittleSite);

const FIELDS = [
  { slug: "title", type: "string", label: "Title", required: true },
  { slug: "summary", type: "text", label: "Summary" },
  { slug: "count", type: "integer", label: "Count" },
  { slug: "body", type: "portableText", label: "Body" },
];
const NOTES = { slug: "notes", label: "Notes", labelSingular: "Note", supports: ["drafts", "revisions", "preview"], urlPattern: "/read/{slug}", hasSeo: true, fields: FIELDS };

test("a page follows its entry", async (t) => {
  const { browser, site, service: little } = stage;
  little.cms = site.origin;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const asked = async (method, path, body, somebody = ada) => {
    const answer = await somebody.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  await asked("POST", "/schema/collections", NOTES);
  const create = async (data) => (await asked("POST", "/content/notes", { data })).item.id;
  const linksOf = async (id) => (await asked("GET", `/content/notes/${id}/preview-url`)).items;

  const title = (at = page) => at.locator("input[name=title]");
  const summary = (at = page) => at.getByLabel("Summary");
  const saved = (at = page) => at.getByText(/^Saved \d|^All changes saved$/).first().waitFor();
  const pane = (at = page) => at.getByRole("complementary", { name: "Preview", exact: true });
  const frame = (at = page) => at.frameLocator("iframe");
  const heading = (text, at = page) => frame(at).getByRole("heading", { level: 1, name: text, exact: true }).waitFor();
  const follows = (at = page) => pane(at).getByText("Follows your changes").waitFor();
  /** The page in the frame. */
  const inside = (at = page) => at.frames().find((frame) => frame.url().startsWith(little.origin));
  /** The words of an entry that its page shows, from the next moment on. */
  const told = (at = page) => inside(at).evaluate(() => globalThis.told.at(-1));
  const open = async (id, search = "?preview=on") => {
    await ada.go(`/content/notes/${id}${search}`);
    await title().waitFor();
  };
  const more = async (name) => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const dialog = () => page.getByRole("dialog", { name: "Preview links" });

  await t.test("the pane is opened by a button and by a key, stays open after a reload, and is closed again", async () => {
    const id = await create({ title: "On looms", summary: "Weaving" });
    await open(id, "");
    assert.equal((await linksOf(id)).length, 0, "nobody asked for a link yet");
    const button = page.getByRole("main").getByRole("button", { name: "Preview", exact: true });
    await button.click();
    await follows();
    await heading("On looms");
    assert.match(inside().url(), /\/read\/on-looms\?_preview=/);
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await page.reload();
    await follows();
    assert.equal((await linksOf(id)).length, 1, "a reload goes on with the link that there is");
    await look(page, "preview");
    await title().focus();
    await page.keyboard.press("Control+Shift+Enter");
    await pane().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+Enter");
    await follows();
    await pane().getByRole("button", { name: "Close", exact: true }).click();
    await pane().waitFor({ state: "detached" });
    assert.equal((await linksOf(id)).length, 1);
  });

  await t.test("what is typed is on the page before it is saved, whole and in order", async () => {
    const id = await create({ title: "Typed", summary: "one" });
    await open(id);
    await follows();
    // What is typed waits for the server, and the page does not.
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    await page.route(/\/content\/notes\/[0-9A-Z]{26}$/, async (route) => {
      if (route.request().method() === "PUT") await arrived;
      await route.continue();
    });
    await title().press("End");
    await page.keyboard.type(" as nobody saved it", { delay: 20 });
    await heading("Typed as nobody saved it");
    await summary().fill("two");
    await frame().getByText("two", { exact: true }).waitFor();
    assert.equal((await told()).saved, false);
    arrive();
    await page.unrouteAll({ behavior: "wait" });
    await saved();
    await frame().locator("body[data-saved=true]").waitFor();
    // The slug of a draft goes with its title.
    await frame().getByText("typed-as-nobody-saved-it", { exact: true }).waitFor();
    const shown = await told();
    const { saved: isSaved, ...entry } = shown;
    assert.equal(isSaved, true);
    const token = new URL(inside().url()).searchParams.get("_preview");
    const { updatedAt: _, ...stored } = await little.entry(token);
    const { updatedAt: __, ...live } = entry;
    assert.deepEqual(live, stored, "the editor tells what the server would");
  });

  await t.test("half a number, an emptied field and rich text arrive as a site can show them", async () => {
    const id = await create({ title: "Values", summary: "gone soon", count: 7 });
    await open(id);
    await follows();
    await page.locator("input[name=count]").fill("7x");
    await summary().fill("");
    await page.locator(".rt-text").click();
    await page.keyboard.type("A thread");
    await inside().waitForFunction(() => globalThis.told.at(-1)?.data.body?.[0]?.children[0].text === "A thread" && !("summary" in globalThis.told.at(-1).data));
    assert.equal((await told()).data.count, 7);
  });

  await t.test("undoing, restoring and what somebody else writes show as well", async () => {
    const id = await create({ title: "First" });
    await open(id);
    await follows();
    await title().fill("Second");
    await page.keyboard.press("Control+s");
    await saved();
    await heading("Second");
    const other = await person(browser, site, { storageState: await ada.context.storageState() });
    await other.page.goto(`${site.admin}/content/notes/${id}`);
    await summary(other.page).fill("by another");
    await other.page.getByText(/^Saved \d/).first().waitFor();
    await frame().getByText("by another", { exact: true }).waitFor();
    await other.close();
    await page.getByRole("button", { name: "About this entry" }).click();
    const panel = page.getByRole("dialog", { name: "About this entry" });
    if ((await panel.locator("ol button").count()) === 0) await panel.getByRole("button", { name: "History" }).click();
    await panel.locator("ol button").last().click();
    await page.getByRole("button", { name: "Restore this version" }).click();
    await heading("First");
  });

  await t.test("the page can be as wide as a device, and the pane as wide as one likes, which the browser remembers", async () => {
    const id = await create({ title: "Wide" });
    await open(id);
    await follows();
    const width = () => inside().evaluate(() => innerWidth);
    const pick = (name) => pane().getByRole("button", { name }).click();
    await pick("Phone width");
    await inside().waitForFunction(() => innerWidth === 390);
    await pick("Desktop width");
    await inside().waitForFunction(() => innerWidth === 1280);
    await pane().getByText(/^\d+%$/).waitFor();
    await page.reload();
    await follows();
    await inside().waitForFunction(() => innerWidth === 1280);
    await pick("Full width");
    // The frame gets it a moment later.
    await inside().waitForFunction(() => innerWidth !== 1280);
    const before = await width();
    const edge = page.getByRole("separator", { name: "Width of the panel" });
    await edge.focus();
    for (let n = 0; n < 4; n++) await page.keyboard.press("ArrowRight");
    // Four steps of a rem each.
    const narrower = before - 4 * 16;
    await inside().waitForFunction((width) => innerWidth === width, narrower);
    await page.reload();
    await follows();
    assert.equal(await width(), narrower);
    await edge.dblclick();
  });

  await t.test("a link in the page leads to another one, which is said and blamed on nobody", async () => {
    const id = await create({ title: "Left behind" });
    await open(id);
    for (const [name, path] of [["About this site", "/about"], ["All notes", "/journal"], ["Elsewhere without loading", "/pushed"]]) {
      await follows();
      await frame().getByRole("link", { name, exact: true }).click();
      await pane().getByText("You are looking at another page").waitFor();
      await pane().getByText(path, { exact: true }).waitFor();
      assert.equal(await pane().getByText("The page does not follow your changes").count(), 0);
      if (path === "/journal") {
        await title().fill("Not for the journal");
        await saved();
        assert.deepEqual(await inside().evaluate(() => globalThis.told), [], "another page is told nothing");
        // Where there is no room beside the editor the page is loaded into another place.
        await look(page, "preview-elsewhere", [DESK]);
      }
      await pane().getByRole("button", { name: "Back to the entry" }).click();
      await follows();
    }
    await heading("Not for the journal");
    // Other sites open by themselves.
    const [tab] = await Promise.all([ada.context.waitForEvent("page"), frame().getByRole("link", { name: "Another site" }).click()]);
    await tab.close();
    await pane().getByText("Follows your changes").waitFor();
  });

  await t.test("a page that is loaded again goes on following", async () => {
    const id = await create({ title: "Again" });
    await open(id);
    await follows();
    await title().press("End");
    await page.keyboard.type(" and again");
    await heading("Again and again");
    await inside().evaluate(() => void setTimeout(() => location.reload()));
    await inside().waitForFunction(() => globalThis.told?.length > 0);
    await heading("Again and again");
    await title().press("End");
    await page.keyboard.type("!");
    await heading("Again and again!");
  });

  await t.test("a new entry has a page once it is saved", async () => {
    await ada.go("/content/notes/new?preview=on");
    await title().waitFor();
    await pane().getByText("Nothing to show yet").waitFor();
    await title().fill("New and shown");
    await follows();
    await heading("New and shown");
  });

  await t.test("a site that does not play along is found out, and another try helps once it does", async () => {
    const id = await create({ title: "Silent" });
    const before = ada.complaints.length;
    const says = {
      script: "The page does not follow your changes",
      admin: "The page does not follow your changes",
      frame: "The page does not follow your changes",
      version: "The site has another version of the script for previews",
    };
    for (const [wrong, text] of Object.entries(says)) {
      little.wrong = wrong;
      await open(id);
      await pane().getByText(text).waitFor();
      if (wrong === "script") await look(page, "preview-silent", [DESK]);
      little.wrong = undefined;
      await pane().getByRole("button", { name: "Try again" }).click();
      await follows();
      await heading("Silent");
    }
    // A browser writes down that a frame was refused, and that a message found nobody.
    ada.complaints.splice(before, Infinity, ...ada.complaints.slice(before).filter((text) => !/X-Frame-Options|target origin/i.test(text)));
  });

  await t.test("links are made to be shared, listed with who made them, and revoked", async () => {
    const { inviteUrl } = await asked("POST", "/auth/invite", { email: "grace@example.com", role: 20 });
    const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await getStarted(grace.page);
    await asked("POST", "/content/notes", { data: { title: "By Grace" } }, grace);
    const id = await create({ title: "Shared", summary: "for friends" });
    await asked("POST", `/content/notes/${id}/preview-url`, { expiresIn: "2h" }, grace);
    await open(id);
    await follows();
    await pane().getByRole("button", { name: "Preview links" }).click();
    const rows = dialog().getByRole("list", { name: "Active links" }).getByRole("listitem");
    await rows.filter({ hasText: "Grace Hopper" }).waitFor();
    await rows.filter({ hasText: "This tab’s preview" }).waitFor();
    await dialog().getByLabel("Valid for").selectOption({ label: "7 days" });
    await dialog().getByRole("button", { name: "Create link" }).click();
    const link = await dialog().getByLabel("The new link").inputValue();
    // On a smaller screen the pane comes anew, and above the dialog: phones have a look of their own below.
    await look(page, "preview-links", [DESK]);
    assert.equal(await rows.count(), 3);
    // Whoever has it needs no account.
    const stranger = await browser.newPage();
    await stranger.goto(link);
    await stranger.getByRole("heading", { name: "Shared" }).waitFor();
    const [made] = await linksOf(id);
    const days = (new Date(made.expiresAt) - new Date(made.createdAt)) / 86_400_000;
    assert.equal(Math.round(days), 7);
    await rows.filter({ hasText: "Grace Hopper" }).getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await rows.filter({ hasText: "Grace Hopper" }).waitFor({ state: "detached" });
    await dialog().getByRole("button", { name: "Revoke all" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all" }).click();
    await dialog().getByText("There are no active links to this entry.").waitFor();
    assert.equal(await dialog().getByLabel("The new link").count(), 0, "a link that was revoked is not handed out");
    await stranger.reload();
    await stranger.getByRole("heading", { name: "Not found" }).waitFor();
    await stranger.close();
    await dialog().getByRole("button", { name: "Close", exact: true }).click();
    // The preview itself says that its own one is over, and takes a new one.
    await pane().getByText("The link behind this preview has ended").waitFor();
    await pane().getByRole("button", { name: "Reload the page" }).last().click();
    await follows();
    assert.equal((await linksOf(id)).length, 1);
    // Those who may not edit an entry revoke what is theirs.
    await asked("POST", `/content/notes/${id}/preview-url`, {}, grace);
    await grace.page.goto(`${site.admin}/content/notes/${id}?preview=on`);
    await follows(grace.page);
    await pane(grace.page).getByRole("button", { name: "Preview links" }).click();
    const theirs = grace.page.getByRole("dialog", { name: "Preview links" }).getByRole("list").getByRole("listitem");
    await theirs.filter({ hasText: "Ada Lovelace" }).waitFor();
    assert.equal(await theirs.getByRole("button", { name: "Revoke" }).count(), 2);
    assert.equal(await theirs.count(), 3);
    assert.equal(await grace.page.getByRole("button", { name: "Revoke all" }).count(), 0);
    grace.mustNotHaveComplained();
    await grace.close();
  });

  await t.test("a tab of its own goes on with the link of the editor", async () => {
    const id = await create({ title: "In a tab" });
    await open(id);
    await follows();
    for (let n = 0; n < 2; n++) {
      const [tab] = await Promise.all([ada.context.waitForEvent("page"), more("Preview in a new tab")]);
      await tab.waitForURL(/_preview=/);
      await tab.getByRole("heading", { name: "In a tab" }).waitFor();
      await tab.close();
    }
    assert.equal((await linksOf(id)).length, 1);
  });

  await t.test("when there are too many links it is said, and one that is revoked makes room", async () => {
    const id = await create({ title: "Crowded" });
    for (let n = 0; n < 50; n++) await asked("POST", `/content/notes/${id}/preview-url`, {});
    await open(id);
    await pane().getByText("There are too many links to this entry").waitFor();
    await pane().getByRole("button", { name: "Show the links" }).click();
    await dialog().getByRole("button", { name: "Create link" }).click();
    await dialog().getByText(/as many links to this entry as there can be/).waitFor();
    await dialog().getByRole("button", { name: "Revoke all" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all" }).click();
    await dialog().getByText("There are no active links to this entry.").waitFor();
    await dialog().getByRole("button", { name: "Close", exact: true }).click();
    await pane().getByRole("button", { name: "Reload the page" }).click();
    await follows();
  });

  await t.test("on a phone the page lies over the editor, and from right to left the pane stands at the left", async () => {
    const id = await create({ title: "قماش ".repeat(12).trim(), summary: "نول" });
    const phone = await person(browser, site, { storageState: await ada.context.storageState(), viewport: PHONE, hasTouch: true, isMobile: true });
    await phone.page.addInitScript(() => localStorage.setItem("cms-language", "ar"));
    await phone.page.goto(`${site.admin}/content/notes/${id}?preview=on`);
    const sheet = phone.page.getByRole("dialog", { name: "معاينة" });
    await sheet.getByText("تتبع تغييراتك").waitFor();
    await frame(phone.page).getByText("نول").waitFor();
    await look(phone.page, "preview-phone", [PHONE]);
    await sheet.getByRole("button", { name: "روابط المعاينة" }).click();
    const links = phone.page.getByRole("dialog", { name: "روابط المعاينة" });
    await links.getByText("معاينة علامة التبويب هذه").waitFor();
    await links.getByRole("button", { name: "إنشاء رابط" }).click();
    await links.getByLabel("الرابط الجديد").waitFor();
    await look(phone.page, "preview-links-phone", [PHONE]);
    await links.getByRole("button", { name: "إغلاق", exact: true }).click();
    await links.waitFor({ state: "detached" });
    await sheet.getByRole("button", { name: "إغلاق", exact: true }).click();
    await sheet.waitFor({ state: "detached" });
    phone.mustNotHaveComplained();
    await phone.close();
    const wide = await person(browser, site, { storageState: await ada.context.storageState() });
    await wide.page.addInitScript(() => localStorage.setItem("cms-language", "ar"));
    await wide.page.goto(`${site.admin}/content/notes/${id}?preview=on`);
    const aside = wide.page.getByRole("complementary", { name: "معاينة" });
    await aside.getByText("تتبع تغييراتك").waitFor();
    const box = await aside.boundingBox();
    assert.ok(box.x < 40, `the pane begins at ${box.x}`);
    await look(wide.page, "preview-arabic", [DESK]);
    wide.mustNotHaveComplained();
    await wide.close();
  });

  await t.test("what is written without distraction is previewed as well", async () => {
    const id = await create({ title: "Calm" });
    await open(id);
    await follows();
    await page.keyboard.press("Control+Shift+\\");
    await page.getByRole("button", { name: /^Leave distraction-free/ }).waitFor();
    await title().press("End");
    await page.keyboard.type(" and quiet");
    await heading("Calm and quiet");
    await look(page, "preview-focused", [DESK]);
    await page.keyboard.press("Control+Shift+\\");
  });

  ada.mustNotHaveComplained();
});

test("without the address of the site, admins are told what to configure and others whom to ask", async () => {
  const { browser } = stage;
  const site = await openSite();
  try {
    const ada = await setUp(browser, site);
    const { page } = ada;
    await getStarted(page);
    assert.ok((await ada.ask("POST", "/schema/collections", NOTES)).ok());
    const { id } = (await (await ada.ask("POST", "/content/notes", { data: { title: "Homeless" } })).json()).data.item;
    await ada.go(`/content/notes/${id}?preview=on`);
    const pane = page.getByRole("complementary", { name: "Preview", exact: true });
    await pane.getByText("Where is your site?").waitFor();
    await pane.getByText("CMS_PREVIEW_ORIGIN").waitFor();
    await look(page, "preview-not-configured");
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "grace@example.com", role: 40 })).json()).data;
    const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await getStarted(grace.page);
    await grace.page.goto(`${site.admin}/content/notes/${id}?preview=on`);
    await grace.page.getByText("Ask an administrator to set up previews.").waitFor({ timeout: PATIENCE });
    assert.equal(await grace.page.getByText("CMS_PREVIEW_ORIGIN").count(), 0);
    ada.mustNotHaveComplained();
    grace.mustNotHaveComplained();
    await grace.close();
  } finally {
    await site.close();
  }
});
