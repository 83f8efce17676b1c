// What people do on the screens: long lists page by page, the palette, the navigation on a phone, languages, domains and tokens.

import assert from "node:assert/strict";
import { test } from "node:test";

import { getStarted, setUp } from "./door.mjs";
import { DESK, look, PHONE } from "./look.mjs";
import { setStage } from "./stage.mjs";

/** More people than two pages of the list hold, which shows 25 at a time. */
const PEOPLE = 52;
/** More lines than a page of the audit log holds, which shows 50 at a time. */
const DEEDS = 60;

/** Somebody among them. */
const PERSON = "person07@example.org";

const stage = setStage();

/** The rows of every page of a list, from where it is to its end. */
async function allPages(page, label) {
  const pages = [];
  await page.getByRole("table", { name: label }).waitFor();
  for (;;) {
    const rows = (await page.getByRole("row").allInnerTexts()).slice(1);
    pages.push(rows);
    const next = page.getByRole("link", { name: "Next page" });
    if ((await next.count()) === 0) return pages;
    // The page before stays, faded, until the next one is there. Rows of both may read alike.
    await page.locator("tbody tr").first().evaluate((row) => row.setAttribute("data-seen", ""));
    await next.click();
    await page.waitForFunction(() => !document.querySelector("[aria-busy], tr[data-seen]") && document.querySelector("tbody tr"));
  }
}

test("people find their way through the screens", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);

  await t.test("everybody is in exactly one page of the users, and the back button leads to the page before", async () => {
    for (let n = 1; n < PEOPLE; n++) await site.run("admin", "create", "--email", `person${String(n).padStart(2, "0")}@example.org`);
    await ada.go("/users");
    const pages = await allPages(page, "Users");
    assert.deepEqual(pages.map((rows) => rows.length), [25, 25, 2]);
    assert.equal(new Set(pages.flat().map((row) => /\S+@example\.\w+/.exec(row)[0])).size, PEOPLE);
    await look(page, "users-last-page");
    await page.goBack();
    await page.getByRole("row").nth(25).waitFor();
    await page.reload();
    await page.getByRole("row").nth(25).waitFor();
    await page.getByRole("link", { name: "First page" }).click();
    await page.getByText("person51@example.org").waitFor();
    assert.equal(new URL(page.url()).search, "");
  });

  await t.test("a search looks through all pages, and begins on its first one", async () => {
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole("searchbox").fill("person01");
    await page.waitForURL((url) => url.search === "?search=person01");
    await page.getByRole("link", { name: "person01@example.org" }).waitFor();
    assert.equal(await page.getByRole("row").count(), 2);
  });

  await t.test("every line of the audit log is in exactly one page", async () => {
    for (let n = 0; n < DEEDS; n++) await ada.ask("PUT", "/auth/me", { name: `Ada ${n}` });
    await ada.go("/audit?action=account.update");
    const pages = await allPages(page, "Audit log");
    assert.deepEqual(pages.map((rows) => rows.length), [50, 10]);
  });

  await t.test("the palette opens by its keys, finds places, and goes there", async () => {
    await ada.go("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog");
    await palette.getByRole("option", { name: "Audit log" }).waitFor();
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("xyzzy");
    await palette.getByText("Nothing matches “xyzzy”.").waitFor();
    await page.getByRole("combobox").fill("audit");
    await palette.getByRole("option", { name: "Audit log" }).waitFor();
    assert.equal(await palette.getByRole("option").count(), 1);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    await palette.waitFor({ state: "detached" });
  });

  await t.test("the palette finds people, begins things, and waits until a question is answered", async () => {
    await ada.go("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search or jump to…" });
    await page.keyboard.type(PERSON.slice(0, -1));
    await palette.getByRole("option", { name: PERSON }).waitFor();
    await look(page, "palette-people", [DESK, PHONE]);
    await palette.getByRole("option", { name: PERSON }).click();
    await page.getByRole("heading", { level: 1, name: PERSON }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("invite some");
    await palette.getByRole("option", { name: "Invite somebody" }).waitFor();
    await page.keyboard.press("Enter");
    const invite = page.getByRole("dialog", { name: "Invite somebody" });
    await invite.waitFor();
    await page.keyboard.press("Control+k");
    assert.equal(await palette.count(), 0, "it does not open over a dialog");
    await page.keyboard.press("Escape");
    await invite.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("create access");
    await palette.getByRole("option", { name: "Create access token" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create access token" }).waitFor();
    await page.getByRole("checkbox", { name: /Read content/ }).first().waitFor();
    assert.equal(await page.getByRole("checkbox", { name: /taxonomies/ }).count(), 0, "what opens nothing is not offered");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  await t.test("on a small screen the navigation is a sheet, which closes behind whoever goes somewhere", async () => {
    await page.setViewportSize(PHONE);
    assert.equal(await page.getByRole("navigation", { name: "Main" }).count(), 0);
    await page.getByRole("button", { name: "Navigation" }).click();
    await look(page, "navigation-sheet", [PHONE]);
    await page.getByRole("dialog").getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.setViewportSize(DESK);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Main" }).waitFor();
  });

  await t.test("another language is there at once, from right to left where it is written so, and stays", async () => {
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Benutzer" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    await page.evaluate(() => localStorage.clear());
    await page.reload();
  });

  await t.test("a domain is added, closed, and removed only by whoever means it", async () => {
    await ada.go("/domains");
    await page.getByRole("button", { name: "Add domain" }).first().click();
    await page.getByRole("dialog").getByLabel("Domain", { exact: true }).fill("example.org");
    await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("row", { name: /example\.org/ }).waitFor();
    await page.getByRole("switch", { name: "People of example.org can sign up" }).click();
    await ada.news("People of example.org can no longer sign up.");
    await page.getByRole("button", { name: "Remove example.org" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("row", { name: /example\.org/ }).waitFor();
    await page.getByRole("button", { name: "Remove example.org" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove domain" }).click();
    await page.getByText("Nobody can sign up").waitFor();
  });

  await t.test("a token is hidden until it is asked for, and stays when nobody means to revoke it", async () => {
    await ada.go("/account/tokens");
    await page.getByRole("button", { name: "Create token" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Build");
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    const token = page.getByLabel("Token", { exact: true });
    assert.equal(await token.getAttribute("type"), "password");
    await look(page, "dialog-token-made");
    await page.getByRole("button", { name: "Show" }).click();
    assert.equal(await token.getAttribute("type"), "text");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Revoke Build" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("row", { name: /Build/ }).waitFor();
  });

  ada.mustNotHaveComplained();
});
