// An entry is written: nothing of it is lost, whatever happens to the network, the browser and the session, and what is published is what is on the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { person } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

// A site in two languages.
const stage = setStage(() => ({ config: '[site]\nlocales = ["en", "de"]\n', close: () => undefined }));

const FIELDS = [
  { slug: "title", type: "string", label: "Title", required: true, validation: { maxLength: 120 }, options: { help: "What the note is called." } },
  { slug: "summary", type: "text", label: "Summary" },
  { slug: "body", type: "portableText", label: "Body" },
  { slug: "count", type: "integer", label: "Count", validation: { min: 0, max: 99 }, options: { width: "half" } },
  { slug: "when", type: "datetime", label: "When", options: { width: "half" } },
  { slug: "site", type: "url", label: "Site" },
  { slug: "kind", type: "select", label: "Kind", validation: { options: ["talk", "essay"] } },
  { slug: "place", type: "string", label: "Place", options: { condition: { field: "kind", equals: "talk" } } },
  { slug: "tags", type: "multiSelect", label: "Tags", validation: { options: ["loom", "weft"] } },
  { slug: "extra", type: "json", label: "Extra" },
  { slug: "rows", type: "repeater", label: "Parts", validation: { subFields: [{ slug: "name", type: "string", label: "Name", required: true }, { slug: "size", type: "number", label: "Size" }] } },
  { slug: "related", type: "reference", label: "Related", options: { collection: "notes", allowMultiple: true } },
];

test("somebody writes", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const supports = ["drafts", "revisions", "scheduling", "preview", "seo"];
  const made = await ada.ask("POST", "/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports, hasSeo: true, urlPattern: "/notes/{slug}", fields: FIELDS });
  assert.equal(made.status(), 201, await made.text());

  // The list, which stays until the editor is there, has a box for titles too.
  const title = (at = page) => at.locator("input[name=title]");
  const saved = (at = page) => at.getByText(/^Saved \d|^All changes saved$/).first().waitFor();
  const entry = async (id) => (await (await ada.ask("GET", `/content/notes/${id}`)).json()).data.item;
  const entries = async () => (await (await ada.ask("GET", "/content/notes?limit=100")).json()).data.items;
  const idIn = (at = page) => /content\/notes\/([0-9A-Z]{26})/.exec(at.url())?.[1];
  const create = async (data) => (await (await ada.ask("POST", "/content/notes", { data })).json()).data.item.id;
  const open = async (id, at = page) => {
    await at.goto(`${site.admin}/content/notes/${id}`);
    await title(at).waitFor();
  };
  /** Another browser of the same person. */
  const another = async () => person(browser, site, { storageState: await ada.context.storageState() });
  /** What is written is on its way while something else is done. */
  const meanwhile = async (at, write, act) => {
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    await at.route(/\/content\/notes\/[0-9A-Z]{26}$/, async (route) => {
      if (route.request().method() === "PUT") await arrived;
      await route.continue();
    });
    const sending = at.waitForRequest((request) => request.method() === "PUT");
    await write();
    await sending;
    await act();
    arrive();
    await at.unrouteAll({ behavior: "wait" });
  };
  const sent = (method) => {
    const requests = [];
    const listen = (request) => request.method() === method && /\/content\/notes/.test(request.url()) && !/lock/.test(request.url()) && requests.push(request);
    page.on("request", listen);
    return { requests, stop: () => page.off("request", listen) };
  };

  await t.test("a new entry is created once, gets its address, and is there after a reload", async () => {
    const { requests, stop } = sent("POST");
    await ada.go("/content/notes/new");
    await title().fill("On looms");
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    stop();
    assert.equal(requests.length, 1);
    assert.equal((await entry(idIn())).slug, "on-looms");
    // Its slug goes with its title while nobody chose one.
    await title().press("End");
    await page.keyboard.type(" and weft");
    await page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
    await saved();
    assert.equal((await entry(idIn())).slug, "on-looms-and-weft");
    await page.reload();
    await title().waitFor();
    assert.equal(await title().inputValue(), "On looms and weft");
  });

  await t.test("an entry whose answer got lost is not created twice", async () => {
    const before = (await entries()).length;
    let isLost = false;
    await page.route(/\/api\/content\/notes$/, async (route) => {
      if (isLost || route.request().method() !== "POST") return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort("connectionreset");
    });
    await ada.go("/content/notes/new");
    await title().fill("Sent once");
    await page.getByText(/offline/).first().waitFor();
    await title().press("End");
    await page.keyboard.type(", written twice");
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    await page.unrouteAll();
    assert.equal((await entries()).length, before + 1);
    assert.equal((await entry(idIn())).data.title, "Sent once, written twice");
  });

  await t.test("quick edits go out together, and the answer takes nothing off the screen", async () => {
    const id = await create({ title: "Quick" });
    await open(id);
    const { requests, stop } = sent("PUT");
    // As fast as no machine is too slow for.
    await title().evaluate((input) => {
      for (const text of ["Quick as", "Quick as a", "Quick as a shuttle"]) {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, text);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    await page.getByText(/^Saved \d/).first().waitFor();
    stop();
    assert.equal(requests.length, 1);
    assert.equal((await entry(id)).data.title, "Quick as a shuttle");
    assert.equal(await title().inputValue(), "Quick as a shuttle");
  });

  await t.test("what two people write in different fields is put together; in the same place, they are asked", async () => {
    const id = await create({ title: "Shared", summary: "one" });
    const other = await another();
    await open(id);
    await open(id, other.page);
    await other.page.getByLabel("Summary").fill("two");
    await other.page.getByText(/^Saved \d/).first().waitFor();
    await title().fill("Shared by two");
    await page.getByText(/^Saved \d/).first().waitFor();
    const merged = await entry(id);
    assert.deepEqual([merged.data.title, merged.data.summary], ["Shared by two", "two"]);
    await ada.ask("PUT", `/content/notes/${id}`, { data: { summary: "theirs" } });
    await page.getByLabel("Summary").fill("mine");
    const notice = page.getByText("Somebody else changed the same place").first();
    await notice.waitFor();
    assert.equal((await entry(id)).data.summary, "theirs");
    await page.getByRole("button", { name: "Compare and choose" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("theirs", { exact: true }).waitFor();
    await look(page, "editor-conflict");
    await dialog.getByRole("radio", { name: "Mine" }).check();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.summary, "mine");
    other.mustNotHaveComplained();
    await other.close();
  });

  await t.test("what others save, and who takes it, is told by the server", async () => {
    assert.ok((await ada.ask("PUT", "/schema/collections/notes", { editLocking: true })).ok());
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "barbara@example.com", role: 40 })).json()).data;
    const barbara = await accept(browser, site, inviteUrl, "Barbara Liskov");
    const id = await create({ title: "Followed" });
    // Whoever looks every now and then would know as well.
    const tabs = [await barbara.context.newPage(), await barbara.context.newPage()];
    for (const tab of tabs) {
      await tab.addInitScript(() => {
        const often = window.setInterval;
        window.setInterval = (work, pause, ...more) => (pause >= 15_000 ? 0 : often(work, pause, ...more));
        const later = window.setTimeout;
        window.setTimeout = (work, pause, ...more) => (pause === 15_000 ? 0 : later(work, pause, ...more));
      });
      await open(id, tab);
    }
    await ada.ask("PUT", `/content/notes/${id}`, { data: { title: "Followed at once" }, overrideLock: true });
    for (const tab of tabs) await tab.waitForFunction(() => document.querySelector("input[name=title]")?.value === "Followed at once");
    assert.ok((await ada.ask("POST", `/content/notes/${id}/lock`, { token: "elsewhere", takeover: true })).ok());
    for (const tab of tabs) await tab.getByText("Ada Lovelace is editing this").waitFor();
    assert.ok((await ada.ask("DELETE", `/content/notes/${id}/lock?token=elsewhere`)).ok());
    for (const tab of tabs) await tab.getByText("Ada Lovelace is editing this").waitFor({ state: "detached" });
    barbara.mustNotHaveComplained();
    await barbara.close();
    assert.ok((await ada.ask("PUT", "/schema/collections/notes", { editLocking: false })).ok());
  });

  await t.test("who else has it open is seen and said, and gone when they close it", async () => {
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "hedy@example.com", role: 40 })).json()).data;
    const hedy = await accept(browser, site, inviteUrl, "Hedy Lamarr");
    await getStarted(hedy.page);
    const id = await create({ title: "Seen by two" });
    const [theirs, own] = [await hedy.context.newPage(), await ada.context.newPage()];
    const seen = (at, name) => at.getByRole("button", { name: `${name} has this entry open too` });
    await open(id);
    await open(id, own);
    await open(id, theirs);
    for (const at of [page, own]) {
      await seen(at, "Hedy Lamarr").waitFor();
      assert.equal(await at.getByRole("status").filter({ hasText: "Hedy Lamarr has this entry open too" }).count(), 1);
    }
    await seen(theirs, "Ada Lovelace").waitFor();
    assert.equal(await seen(page, "Ada Lovelace").count(), 0, "nobody is told of themselves, whatever tabs they have");
    await page.bringToFront();
    await look(page, "editor-present");
    await seen(page, "Hedy Lamarr").click();
    await page.getByRole("dialog").getByText("Hedy Lamarr").waitFor();
    await page.keyboard.press("Escape");
    // One of two tabs is closed: they are there as before.
    await own.close();
    await theirs.waitForTimeout(5_000);
    assert.ok(await seen(theirs, "Ada Lovelace").isVisible());
    await theirs.close();
    await seen(page, "Hedy Lamarr").waitFor({ state: "detached", timeout: 8_000 });
    hedy.mustNotHaveComplained();
    await hedy.close();
  });

  await t.test("offline, it is kept here and says so; back online it is saved by itself", async () => {
    const id = await create({ title: "Cut" });
    await open(id);
    await ada.context.setOffline(true);
    await title().fill("Cut off");
    await page.getByText("Not saved: offline, kept in this browser").waitFor();
    await look(page, "editor-offline");
    await ada.context.setOffline(false);
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, "Cut off");
  });

  await t.test("what a browser that crashed left is offered, and taken up", async () => {
    const id = await create({ title: "Crash" });
    const doomed = await ada.context.newPage();
    await open(id, doomed);
    await ada.context.setOffline(true);
    await title(doomed).fill("Crash landing");
    await doomed.getByText(/Not saved: offline/).waitFor();
    await doomed.close({ runBeforeUnload: false });
    await ada.context.setOffline(false);
    await open(id);
    assert.equal(await title().inputValue(), "Crash");
    await page.getByText("You have changes that were not saved").waitFor();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, "Crash landing");
    await page.reload();
    await title().waitFor();
    assert.equal(await page.getByText("You have changes that were not saved").count(), 0);
  });

  await t.test("what is typed right before is published, and nothing while something is wrong", async () => {
    const id = await create({ title: "Early" });
    await open(id);
    await title().fill("Early bird");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByText("What goes live").waitFor();
    await look(page, "editor-publish");
    await page.getByRole("button", { name: "Publish now" }).click();
    // Whoever clicks once more takes nothing off the site: there is nothing to publish where the button was, and the rest is in the menu.
    const spent = page.getByRole("button", { name: "Publish changes", disabled: true });
    await spent.waitFor();
    await spent.dblclick({ force: true });
    assert.equal(await page.locator("[role=dialog], [role=alertdialog]").count(), 0);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Unpublish" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    const published = await entry(id);
    assert.deepEqual([published.status, published.data.title, published.hasDraft], ["published", "Early bird", false]);
    await page.getByRole("textbox", { name: "Count" }).fill("100");
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("dialog").getByText(/Correct/).waitFor();
    assert.ok(await page.getByRole("button", { name: "Publish now" }).isDisabled());
    // The list of mistakes leads to the field.
    await page.getByRole("dialog").getByRole("button", { name: "Count" }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "count");
    assert.equal(await page.getByRole("textbox", { name: "Count" }).getAttribute("aria-invalid"), "true");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await saved();
    assert.equal((await entry(id)).data.count, undefined);
  });

  await t.test("changes are discarded, and that is undone", async () => {
    const id = await create({ title: "Kept" });
    await ada.ask("POST", `/content/notes/${id}/publish`, {});
    await open(id);
    await title().fill("Changed my mind");
    await page.getByText(/^Saved \d/).first().waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Discard changes" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard changes" }).click();
    await page.waitForFunction(() => document.querySelector("input[name=title]")?.value === "Kept");
    assert.equal((await entry(id)).hasDraft, false);
    await page.getByRole("listitem").getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForFunction(() => document.querySelector("input[name=title]")?.value === "Changed my mind");
  });

  await t.test("it is scheduled, moved and unscheduled in one place", async () => {
    const id = await create({ title: "Later" });
    await open(id);
    await page.getByRole("button", { name: "Schedule for later" }).click();
    const choose = page.getByRole("group", { name: "Publish at" }).getByRole("button", { name: "Choose a date" });
    await choose.click();
    await page.getByRole("button", { name: "Tomorrow, 9:00" }).click();
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByText(/^Scheduled for/).first().waitFor();
    assert.equal((await entry(id)).status, "scheduled");
    await page.getByRole("button", { name: "Reschedule" }).click();
    await choose.click();
    await page.getByRole("button", { name: "Monday, 9:00" }).click();
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByRole("button", { name: "Unschedule" }).click();
    await page.getByRole("button", { name: "Schedule for later" }).waitFor();
    assert.equal((await entry(id)).status, "draft");
  });

  await t.test("it is unpublished later by itself, or stays as long as somebody wants", async () => {
    const id = await create({ title: "For a while" });
    await ada.ask("POST", `/content/notes/${id}/publish`, {});
    await open(id);
    await page.getByRole("button", { name: "Unpublish later" }).click();
    await page.getByRole("group", { name: "Unpublish at" }).getByRole("button", { name: "Choose a date" }).click();
    await page.getByRole("button", { name: "Tomorrow, 9:00" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Will be unpublished on/).first().waitFor();
    assert.equal((await entry(id)).status, "published");
    assert.ok(new Date((await entry(id)).unpublishAt) > new Date());
    await page.getByRole("button", { name: "Keep published" }).click();
    await page.getByRole("button", { name: "Unpublish later" }).waitFor();
    assert.equal((await entry(id)).unpublishAt, null);
  });

  await t.test("the history says what changed, and brings it back", async () => {
    const id = await create({ title: "First words" });
    await ada.ask("PUT", `/content/notes/${id}`, { data: { title: "Second thoughts" } });
    await open(id);
    await page.getByRole("button", { name: "History", exact: true }).click();
    const rows = page.locator("aside ol button");
    await rows.nth(1).waitFor();
    await rows.nth(1).click();
    await page.getByRole("dialog").getByText("First words").waitFor();
    await look(page, "editor-history");
    await page.getByRole("button", { name: "Restore this version" }).click();
    await page.waitForFunction(() => document.querySelector("input[name=title]")?.value === "First words");
    assert.equal((await entry(id)).data.title, "First words");
  });

  await t.test("it is translated, and one goes from one language to the other", async () => {
    const id = await create({ title: "Words" });
    await open(id);
    await page.getByRole("button", { name: /^Translations/ }).click();
    await page.getByRole("link", { name: "Translate into German" }).click();
    await page.waitForURL((url) => /content\/notes\/[0-9A-Z]{26}/.test(url.pathname) && !url.pathname.endsWith(id));
    await saved();
    const translation = await entry(idIn());
    assert.deepEqual([translation.locale, translation.data.title, translation.slug], ["de", "Words", "words"]);
    await page.getByText("It is there in every language of the site.").waitFor();
    await page.getByRole("link", { name: "English" }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await page.getByRole("link", { name: "Side by side" }).click();
    await page.getByText("Beside it: German").waitFor();
    await look(page, "editor-beside");
    // What changes here is to be translated there.
    await page.getByLabel("Summary").fill("A summary that German has not");
    await page.getByText(/^Saved \d/).first().waitFor();
    await page.goto(`${site.admin}/content/notes/${translation.id}?beside=${id}`);
    await page.getByText("1 field changed there since this was last saved").waitFor();
    assert.equal(await page.getByText("Changed since", { exact: true }).count(), 1);
    await page.locator("ins").filter({ hasText: "A summary that German has not" }).waitFor();
    await look(page, "editor-beside-changed");
  });

  await t.test("a translation that was left before it could be saved goes on as one", async () => {
    const id = await create({ title: "Left", summary: "In English" });
    const doomed = await ada.context.newPage();
    await doomed.route(/\/api\/content\/notes$/, (route) => (route.request().method() === "POST" ? route.abort("internetdisconnected") : route.continue()));
    await doomed.goto(`${site.admin}/content/notes/new?locale=de&translationOf=${id}`);
    await doomed.getByLabel("Summary").fill("Auf Deutsch");
    await doomed.getByText(/Not saved: offline/).waitFor();
    await doomed.close({ runBeforeUnload: false });
    await ada.go("/content/notes");
    await page.getByText("A translation was not saved").waitFor();
    // Whether it arrived is not known as long as nobody can be asked: it stays on offer.
    await page.route(/\/api\/content\/notes\/[0-9A-Z]{26}$/, (route) => (route.request().url().endsWith(id) ? route.continue() : route.abort("internetdisconnected")));
    await page.getByRole("link", { name: "Continue writing" }).click();
    const restore = page.getByRole("button", { name: "Restore" });
    await restore.click();
    await ada.news(/cannot be reached/);
    await page.unrouteAll();
    await restore.click();
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    const left = await entry(idIn());
    assert.deepEqual([left.locale, left.data.title, left.data.summary], ["de", "Left", "Auf Deutsch"]);
    assert.equal(left.translationGroup, (await entry(id)).translationGroup);
  });

  await t.test("what arrived although its tab was gone is offered to nobody as unsaved", async () => {
    const doomed = await ada.context.newPage();
    const arrived = new Promise((resolve) => {
      void doomed.route(/\/api\/content\/notes$/, async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        resolve(await route.fetch());
        return route.abort("connectionreset");
      });
    });
    await doomed.goto(`${site.admin}/content/notes/new`);
    await title(doomed).fill("Arrived alone");
    await arrived;
    await doomed.close({ runBeforeUnload: false });
    await ada.go("/content/notes");
    await page.getByRole("link", { name: "Arrived alone" }).waitFor();
    assert.equal((await entries()).filter(({ data }) => data.title === "Arrived alone").length, 1);
    await page.waitForFunction(
      () =>
        new Promise((resolve) => {
          indexedDB.open("cms-drafts").onsuccess = ({ target }) => {
            target.result.transaction("notes").objectStore("notes").count().onsuccess = (counted) => resolve(counted.target.result === 0);
          };
        }),
    );
    assert.equal(await page.getByText("A new entry was not saved").count(), 0);
  });

  await t.test("fields of every type keep what is typed, and say what is wrong with it", async () => {
    const other = await create({ title: "Something else" });
    const id = await create({ title: "Types" });
    await open(id);
    await page.getByRole("textbox", { name: "Count" }).fill("12x");
    await page.getByText("This cannot be read yet").waitFor();
    await page.getByRole("textbox", { name: "Count" }).fill("7");
    await page.getByRole("textbox", { name: "Site" }).fill("example.com");
    await page.getByRole("textbox", { name: "Site" }).blur();
    await page.getByRole("button", { name: "Did you mean https://example.com?" }).click();
    assert.equal(await page.getByRole("textbox", { name: "Place" }).count(), 0);
    await page.getByRole("combobox", { name: "Kind" }).selectOption("talk");
    await page.getByRole("textbox", { name: "Place" }).fill("London");
    await page.getByRole("checkbox", { name: "weft" }).check();
    await page.getByRole("textbox", { name: "Extra" }).fill('{"a": ');
    await page.getByText(/JSON/).first().waitFor();
    await page.getByRole("button", { name: "Add row" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Shuttle");
    await page.getByRole("textbox", { name: "Size" }).fill("1.5");
    await page.getByText(/Not saved: 1 field/).waitFor();
    await look(page, "editor-fields");
    await page.getByRole("textbox", { name: "Extra" }).fill('{"a": 1}');
    await saved();
    const { data } = await entry(id);
    assert.deepEqual([data.count, data.site, data.kind, data.place, data.tags, data.extra], [7, "https://example.com", "talk", "London", ["weft"], { a: 1 }]);
    assert.deepEqual(data.rows.map(({ name, size }) => [name, size]), [["Shuttle", 1.5]]);
    assert.ok(other);
  });

  await t.test("whoever leaves right after a key has lost nothing", async () => {
    const id = await create({ title: "Leave" });
    await open(id);
    await title().fill("Leave a note");
    await page.getByRole("link", { name: "Profile" }).click();
    await page.waitForURL(/\/account$/);
    assert.equal((await entry(id)).data.title, "Leave a note");
  });

  await t.test("a session that ends is renewed in place", async () => {
    const id = await create({ title: "Session" });
    await open(id);
    await ada.context.clearCookies();
    await title().fill("Session kept");
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Sign in with a passkey" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, "Session kept");
  });

  await t.test("whoever will not sign in now writes on, and is asked when they want something done", async () => {
    const id = await create({ title: "Later" });
    await open(id);
    await ada.context.clearCookies();
    await title().fill("Later, please");
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    await dialog.getByRole("button", { name: "Not now" }).click();
    await title().press("End");
    const refused = page.waitForResponse((response) => response.request().method() === "PUT" && response.status() === 401);
    await page.keyboard.type(" and thank you");
    await refused;
    await page.getByText(/Not saved: you are signed out/).waitFor();
    // As long as a pause in typing has to be.
    await page.waitForTimeout(1_500);
    assert.equal(await dialog.count(), 0);
    await page.keyboard.press("Control+s");
    await dialog.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, "Later, please and thank you");
  });

  await t.test("what is clicked once the session has ended is done after signing in again, or said not to be done", async () => {
    const id = await create({ title: "Clicked" });
    await open(id);
    const copies = async () => (await entries()).filter(({ data }) => data.title.startsWith("Clicked")).length;
    const duplicate = async () => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Duplicate" }).click();
    };
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    await ada.context.clearCookies();
    await duplicate();
    await dialog.getByText(/what you asked for is done then/).waitFor();
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.getByText(/You are signed out, so this was not done/).first().waitFor();
    await duplicate();
    await dialog.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("Duplicated. This is the copy.").first().waitFor();
    assert.equal(await copies(), 2);
    // The tab of a preview is in front, and says where to look.
    await open(id);
    await ada.context.clearCookies();
    await page.getByRole("button", { name: "More", exact: true }).click();
    const [tab] = await Promise.all([ada.context.waitForEvent("page"), page.getByRole("menuitem", { name: "Preview in a new tab" }).click()]);
    await tab.getByText(/something is asked of you in the editor/).waitFor();
    await page.bringToFront();
    await dialog.getByRole("button", { name: "Sign in with a passkey" }).click();
    await tab.waitForURL(/^http/);
    await tab.close();
  });

  await t.test("a session that ends takes no letter from whoever is typing", async () => {
    const id = await create({ title: "Sentence" });
    await open(id);
    await title().focus();
    await ada.context.clearCookies();
    const words = "The rest of a sentence that nobody stops in.";
    await title().press("End");
    await page.keyboard.type(` ${words}`, { delay: 100 });
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    await dialog.waitFor();
    assert.equal(await title().inputValue(), `Sentence ${words}`);
    await dialog.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, `Sentence ${words}`);
  });

  await t.test("whoever takes an entry over has what the other one wrote, whose later words are kept and come in once it is free", async () => {
    assert.ok((await ada.ask("PUT", "/schema/collections/notes", { editLocking: true })).ok());
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "grace@example.com", role: 40 })).json()).data;
    const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await getStarted(grace.page);
    const id = await create({ title: "Held", summary: "one" });
    await open(id);
    await open(id, grace.page);
    await grace.page.getByText("Ada Lovelace is editing this").waitFor();
    assert.equal(await title(grace.page).getAttribute("readonly"), "");
    // Nothing is published or put away under the hands of whoever writes.
    assert.equal(await grace.page.getByRole("button", { name: "Publish", exact: true }).count(), 0);
    await grace.page.getByRole("button", { name: "More" }).click();
    await grace.page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    assert.equal(await grace.page.getByRole("menuitem", { name: "Move to trash" }).count(), 0);
    await grace.page.keyboard.press("Escape");
    await title().fill("Held by Ada");
    await page.getByText(/^Saved \d/).first().waitFor();
    await look(grace.page, "editor-held");
    // Ada goes on elsewhere in it, and what she writes is still on its way when Grace takes it over.
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    await page.route(/\/content\/notes\/[0-9A-Z]{26}$/, async (route) => {
      if (route.request().method() === "PUT") await arrived;
      await route.continue();
    });
    await page.getByLabel("Summary").fill("Ada goes on");
    await grace.page.getByRole("button", { name: "Take over" }).click();
    await grace.page.getByRole("alertdialog").getByRole("button", { name: "Take over" }).click();
    await grace.page.getByText("Ada Lovelace is editing this").waitFor({ state: "detached" });
    assert.equal(await title(grace.page).inputValue(), "Held by Ada");
    await title(grace.page).fill("Held by Ada, then by Grace");
    await grace.page.getByText(/^Saved \d/).first().waitFor();
    arrive();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByText("Not saved: somebody else is editing, kept in this browser").waitFor();
    await page.getByText("Grace Hopper is editing this").waitFor();
    assert.equal((await entry(id)).data.summary, "one");
    await grace.go("/account");
    await page.getByText("Grace Hopper is editing this").waitFor({ state: "detached", timeout: 30_000 });
    await page.getByText(/^Saved \d/).first().waitFor();
    const { data } = await entry(id);
    assert.deepEqual([data.title, data.summary], ["Held by Ada, then by Grace", "Ada goes on"]);
    grace.mustNotHaveComplained();
    await grace.close();
    assert.ok((await ada.ask("PUT", "/schema/collections/notes", { editLocking: false })).ok());
  });

  await t.test("the tools of a long text stay in sight, and the caret out from under them", async () => {
    const body = Array.from({ length: 60 }, (_, n) => ({ _type: "block", _key: `k${n}`, style: "normal", markDefs: [], children: [{ _type: "span", _key: "s", text: `Paragraph ${n}`, marks: [] }] }));
    await open(await create({ title: "Long", body }));
    const bold = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Bold", exact: true });
    await page.locator(".rt-text p").nth(50).click();
    await bold.click();
    for (let n = 0; n < 45; n++) await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() => getSelection().getRangeAt(0).getBoundingClientRect().top >= document.querySelector("[role=toolbar]").getBoundingClientRect().bottom);
  });

  await t.test("a block is dragged by its handle, whose menu opens at a click", async () => {
    const body = ["One", "Two", "Three"].map((text, n) => ({ _type: "block", _key: `k${n}`, style: "normal", markDefs: [], children: [{ _type: "span", _key: "s", text, marks: [] }] }));
    const id = await create({ title: "Drag", body });
    await open(id);
    const paragraphs = page.locator(".rt-text p");
    await paragraphs.first().hover();
    const handle = page.getByRole("button", { name: "Move, or open the menu" });
    await handle.dragTo(paragraphs.nth(2), { targetPosition: { x: 60, y: 22 } });
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.deepEqual((await entry(id)).data.body.map(({ children }) => children[0].text), ["Two", "Three", "One"]);
    await paragraphs.first().hover();
    await handle.click();
    await page.getByRole("menuitem", { name: "Turn into" }).waitFor();
    await handle.click();
    await page.getByRole("menu").waitFor({ state: "detached" });
  });

  await t.test("whoever goes back through the fields by keyboard sees where they are", async () => {
    await open(await create({ title: "From below" }));
    await page.setViewportSize({ width: 1280, height: 500 });
    // All of the fields are there.
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Related" }).or(page.getByRole("group", { name: "Related" }).getByRole("button")).first().focus();
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Shift+Tab");
      const { top, bottom, name } = await page.evaluate(() => {
        const bar = document.querySelector("[data-wide] > .sticky, [data-wide] .sticky")?.getBoundingClientRect();
        const { activeElement: focused } = document;
        return { top: focused.getBoundingClientRect().top, bottom: bar.bottom, name: focused.outerHTML.slice(0, 120) };
      });
      assert.ok(top >= bottom, `${name} is at ${top}, under a bar that ends at ${bottom}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  await t.test("whoever begins a new entry writes at once, and whoever opens one stands at its heading", async () => {
    await ada.go("/content/notes");
    await page.getByRole("link", { name: "New entry" }).first().click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "title");
    await page.keyboard.type("Written at once");
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    await page.reload();
    await page.waitForFunction(() => document.activeElement?.tagName === "H1" && document.activeElement.textContent === "Written at once");
  });

  await t.test("a new entry that was left before it could be saved is offered in the list, where one looks for it", async () => {
    await ada.go("/content/notes/new");
    await page.getByLabel("Summary").fill("A summary comes first");
    await page.getByText(/Not saved yet: 1 field is missing/).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Notes", exact: true }).click();
    await page.getByRole("alertdialog", { name: "Not everything is saved" }).getByRole("button", { name: "Leave" }).click();
    await page.getByText("A new entry was not saved").waitFor();
    await look(page, "content-left");
    await ada.go("/content");
    await page.getByText(/You began it in Notes on/).waitFor();
    await page.getByRole("link", { name: "Continue writing" }).click();
    await page.waitForFunction(() => document.querySelector("[name=summary]")?.value === "A summary comes first");
    await title().fill("And then a title");
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    assert.equal((await entry(idIn())).data.summary, "A summary comes first");
    await ada.go("/content/notes");
    await page.getByRole("link", { name: "And then a title" }).waitFor();
    assert.equal(await page.getByText("A new entry was not saved").count(), 0);
  });

  await t.test("new entries that were left are gone on with one by one, and each becomes one entry", async () => {
    for (const summary of ["The first one", "The second one"]) {
      const doomed = await ada.context.newPage();
      await doomed.goto(`${site.admin}/content/notes/new`);
      await doomed.getByLabel("Summary").fill(summary);
      await doomed.getByText(/Not saved yet: 1 field is missing/).waitFor();
      await doomed.close({ runBeforeUnload: false });
    }
    await ada.go("/content/notes");
    const goOn = page.getByRole("link", { name: "Continue writing" });
    await goOn.nth(1).waitFor();
    await goOn.first().click();
    await page.waitForFunction(() => document.querySelector("[name=summary]")?.value === "The second one");
    // The other one is not a part of this one, and can be gone on with from here.
    await page.getByText("You have changes that were not saved").waitFor();
    assert.equal(await page.getByRole("button", { name: "Restore" }).count(), 0);
    await title().fill("Twins");
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    const second = idIn();
    // Two tabs go on with the same one: it is one entry.
    const tab = await ada.context.newPage();
    await tab.goto(`${site.admin}/content/notes/new`);
    await tab.getByRole("button", { name: "Restore" }).waitFor();
    await goOn.click();
    await page.waitForFunction(() => document.querySelector("[name=summary]")?.value === "The first one");
    await tab.getByRole("button", { name: "Restore" }).click();
    await title().fill("Twins");
    await page.waitForURL((url) => /content\/notes\/[0-9A-Z]{26}/.test(url) && !url.pathname.endsWith(second));
    await saved();
    await title(tab).fill("Twins");
    await tab.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved(tab);
    assert.equal(idIn(tab), idIn());
    await tab.close();
    const twins = (await entries()).filter(({ data }) => data.title === "Twins");
    assert.deepEqual(twins.map(({ data }) => data.summary).toSorted(), ["The first one", "The second one"]);
  });

  await t.test("two new entries of one title, begun at two devices, are two, whatever the network does", async () => {
    await page.route(/\/api\/content\/notes$/, (route) => (route.request().method() === "POST" ? route.abort("connectionreset") : route.continue()));
    await ada.go("/content/notes/new");
    await title().fill("Same title");
    await page.getByText(/Not saved: offline/).waitFor();
    await page.getByLabel("Summary").fill("At the desk");
    const other = await another();
    await other.page.goto(`${site.admin}/content/notes/new`);
    await title(other.page).fill("Same title");
    await other.page.getByLabel("Summary").fill("On the train");
    await other.page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved(other.page);
    await page.unrouteAll();
    await page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved();
    assert.notEqual(idIn(), idIn(other.page));
    await other.context.close();
    const same = (await entries()).filter(({ data }) => data.title === "Same title");
    assert.deepEqual(same.map(({ data }) => data.summary).toSorted(), ["At the desk", "On the train"]);
  });

  await t.test("a new entry is in the list, also for whoever went there before it was saved", async () => {
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await page.route(/\/api\/content\/notes$/, async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await ada.go("/content/notes");
    await page.getByRole("link", { name: "New entry" }).first().click();
    await title().fill("Left in a hurry");
    await page.getByRole("main").getByRole("link", { name: "Notes", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("button", { name: "Columns" }).waitFor();
    answer();
    await page.getByRole("link", { name: "Left in a hurry" }).waitFor();
    await page.unrouteAll();
  });

  await t.test("a site that a text has an image of does not learn who opens it, before they ask for the image", async () => {
    const asked = [];
    await page.route("https://images.example/**", (route) => {
      asked.push(route.request().headers().referer ?? "nothing");
      return route.fulfill({ contentType: "image/gif", body: Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64") });
    });
    const image = { _type: "image", _key: "i", asset: { url: "https://images.example/loom.gif" }, alt: "A loom" };
    const below = { _type: "block", _key: "b", style: "normal", markDefs: [], children: [{ _type: "span", _key: "s", text: "Below it", marks: [] }] };
    await open(await create({ title: "Looked at", body: [image, below] }));
    const show = page.getByRole("button", { name: "Show image from images.example" });
    await show.waitFor();
    // One that is pasted waits as well.
    await page.getByText("Below it").click();
    await page.keyboard.press("Control+End");
    await page.locator(".rt-text").evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", '<p>Pasted</p><img src="https://images.example/weft.gif" alt="Weft">');
      text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await show.nth(1).waitFor();
    await look(page, "editor-foreign-image");
    assert.deepEqual(asked, []);
    await show.first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => [...document.querySelectorAll(".rt-object img")].filter(({ naturalWidth }) => naturalWidth > 0).length === 2);
    assert.deepEqual(asked, ["nothing", "nothing"]);
    await saved();
    await page.unrouteAll();
  });

  await t.test("an entry that is moved to the trash while somebody writes comes out again with what they wrote", async () => {
    const id = await create({ title: "Thrown away" });
    await open(id);
    assert.ok((await ada.ask("DELETE", `/content/notes/${id}`)).ok());
    await page.getByText("This was moved to the trash").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "This entry is in the trash" }).waitFor();
    await page.getByRole("button", { name: "Take it out of the trash" }).click();
    await title().waitFor();
    const remove = async () => assert.ok((await ada.ask("DELETE", `/content/notes/${id}`)).ok());
    await meanwhile(page, () => title().fill("Thrown away, and written on"), remove);
    await page.getByText("Not saved: moved to the trash, kept in this browser").waitFor();
    await look(page, "editor-trashed");
    await page.getByRole("button", { name: "Take it out of the trash" }).click();
    await page.getByText(/^Saved \d/).first().waitFor();
    assert.equal((await entry(id)).data.title, "Thrown away, and written on");
  });

  await t.test("what somebody wrote in an entry that is deleted begins a new one, and is offered as long as nobody gave it up", async () => {
    const id = await create({ title: "Deleted", summary: "one" });
    await open(id);
    assert.ok((await ada.ask("DELETE", `/content/notes/${id}`)).ok());
    assert.ok((await ada.ask("DELETE", `/content/notes/${id}/permanent`)).ok());
    await page.getByText("This was deleted").waitFor();
    const other = await create({ title: "Deleted too", summary: "one" });
    await open(other);
    await meanwhile(page, () => page.getByLabel("Summary").fill("Words of the summary"), async () => {
      assert.ok((await ada.ask("DELETE", `/content/notes/${other}`)).ok());
      assert.ok((await ada.ask("DELETE", `/content/notes/${other}/permanent`)).ok());
    });
    await page.getByText("Not saved: deleted, kept in this browser").waitFor();
    await look(page, "editor-deleted");
    // It is there for whoever comes back to the address.
    await page.getByRole("main").getByRole("link", { name: "Notes", exact: true }).click();
    await page.getByRole("alertdialog", { name: "Not everything is saved" }).getByRole("button", { name: "Leave" }).click();
    await page.getByRole("button", { name: "Columns" }).waitFor();
    await page.goto(`${site.admin}/content/notes/${other}`);
    await page.getByRole("heading", { name: "This entry does not exist" }).waitFor();
    const words = page.getByRole("textbox", { name: "Summary" });
    await words.waitFor();
    assert.equal(await words.inputValue(), "Words of the summary");
    await look(page, "editor-lost");
    await page.getByRole("button", { name: "Start a new entry with it" }).click();
    await page.waitForURL((url) => /notes\/[0-9A-Z]{26}/.test(url.pathname) && !url.pathname.endsWith(other));
    await saved();
    const { data, slug } = await entry(idIn());
    assert.deepEqual([data.title, data.summary, slug], ["Deleted too", "Words of the summary", "deleted-too"]);
    await page.goto(`${site.admin}/content/notes/${other}`);
    await page.getByText("This could not be loaded").waitFor();
    assert.equal(await page.getByText("Words of the summary").count(), 0);
  });

  await t.test("what was written in a field that is removed is shown, and everything else is saved and published", async () => {
    assert.ok((await ada.ask("POST", "/schema/collections/notes/fields", { slug: "motto", type: "string", label: "Motto" })).ok());
    const id = await create({ title: "Motto", motto: "old" });
    await open(id);
    assert.ok((await ada.ask("DELETE", "/schema/collections/notes/fields/motto")).ok());
    await page.getByLabel("Motto").fill("Words of the motto");
    await title().fill("Motto and more");
    await page.getByText("Text of a field that was removed").waitFor();
    await saved();
    assert.equal((await entry(id)).data.title, "Motto and more");
    await look(page, "editor-removed-field");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Publish now" }).click();
    await page.getByRole("button", { name: "Publish changes", disabled: true }).waitFor();
    await page.reload();
    await page.getByText("Text of a field that was removed").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "motto" }).inputValue(), "Words of the motto");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
    await page.getByText("Text of a field that was removed").waitFor({ state: "detached" });
    await page.reload();
    await title().waitFor();
    assert.equal(await page.getByText("Text of a field that was removed").count(), 0);
  });

  await t.test("a contributor whose entry is published while they write is told, and loses nothing", async () => {
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "mary@example.com", role: 20 })).json()).data;
    const mary = await accept(browser, site, inviteUrl, "Mary Somerville");
    await getStarted(mary.page);
    await mary.go("/content/notes/new");
    await title(mary.page).fill("Approved");
    await mary.page.waitForURL(/content\/notes\/[0-9A-Z]{26}/);
    await saved(mary.page);
    const id = idIn(mary.page);
    const publish = async () => {
      const published = await ada.ask("POST", `/content/notes/${id}/publish`, { overrideLock: true });
      assert.ok(published.ok(), await published.text());
    };
    await meanwhile(mary.page, () => mary.page.getByLabel("Summary").fill("Words of the summary"), publish);
    await mary.page.getByText("Not saved: published or scheduled meanwhile, kept in this browser").waitFor();
    await mary.page.getByText("You can only read this").waitFor();
    await look(mary.page, "editor-published-meanwhile");
    await mary.page.reload();
    await mary.page.getByText("You have changes that were not saved").waitFor();
    assert.equal(await mary.page.getByRole("button", { name: "Restore" }).count(), 0);
    await mary.page.getByRole("button", { name: "Copy Summary" }).waitFor();
    await look(mary.page, "editor-left-to-read");
    mary.mustNotHaveComplained();
    await mary.close();
  });

  await t.test("a number in JSON that JavaScript cannot keep is neither sent nor changed", async () => {
    await open(await create({ title: "Numbers typed" }));
    const extra = page.getByRole("textbox", { name: "Extra" });
    await extra.fill('{"id": 12345678901234567890}');
    await page.getByText(/12345678901234567890 would be kept as another number/).waitFor();
    await page.getByText(/Not saved: 1 field/).waitFor();
    await look(page, "editor-inexact");
    assert.equal((await entry(idIn())).data.extra, undefined);
    await extra.fill("");
    await saved();
    // A program may have written one.
    await open(await create({ title: "Numbers" }));
    const id = idIn();
    const put = await ada.context.request.fetch(`${site.origin}/_cms/api/content/notes/${id}`, { method: "PUT", data: '{"data": {"extra": {"id": 12345678901234567890}}}', headers: { "content-type": "application/json", "x-cms-request": "1", origin: site.origin } });
    assert.ok(put.ok(), await put.text());
    await page.reload();
    await page.getByText("This can only be read here").waitFor();
    await title().fill("Numbers that stay");
    await page.getByText(/^Saved \d/).first().waitFor();
    await look(page, "editor-rounded");
    assert.match(await (await ada.ask("GET", `/content/notes/${id}`)).text(), /12345678901234567890/);
  });

  await t.test("a publication date that is none is said to be one, and nothing is published before it is", async () => {
    const id = await create({ title: "Dated" });
    await ada.ask("POST", `/content/notes/${id}/publish`, {});
    const { publishedAt } = await entry(id);
    await open(id);
    await page.getByRole("button", { name: "Author and dates" }).click();
    const date = page.getByRole("group", { name: "Publication date" }).getByLabel("Date", { exact: true });
    await date.fill("31/02/2026");
    await title().fill("Dated anew");
    await page.getByText(/Not saved: 1 field/).waitFor();
    await look(page, "editor-publication-date");
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("dialog").getByText(/Correct/).waitFor();
    assert.ok(await page.getByRole("button", { name: "Publish now" }).isDisabled());
    await page.getByRole("dialog").getByRole("button", { name: "Publication date" }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Date");
    assert.equal((await entry(id)).publishedAt, publishedAt);
    await date.fill("28/02/2026");
    await saved();
    assert.match((await entry(id)).publishedAt, /^2026-02-2/);
  });

  await t.test("the keys that its tooltip names leave only the text", async () => {
    await open(await create({ title: "Alone" }));
    await page.keyboard.press("Control+Shift+Backslash");
    await page.getByRole("button", { name: /Leave distraction-free/ }).waitFor();
    assert.equal(await page.getByRole("complementary", { name: "About this entry" }).count(), 0);
    await page.keyboard.press("Control+Shift+Backslash");
    await page.getByRole("complementary", { name: "About this entry" }).waitFor();
    await page.keyboard.press("Control+s");
  });

  await t.test("it goes to the trash, and comes back", async () => {
    const id = await create({ title: "Rubbish" });
    await open(id);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Move to trash" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("listitem").getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    assert.equal((await entry(id)).data.title, "Rubbish");
  });

  ada.mustNotHaveComplained();
});
