// How the application begins: with few requests, and with words where its files do not come.

import assert from "node:assert/strict";
import { test } from "node:test";

import { quiet } from "./browser.mjs";
import { getStarted, setUp } from "./door.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

/** The most requests of a screen that nothing is kept of, the page included. */
const MOST = 20;

/** Opens a screen as if for the first time, and answers with what was asked for. */
async function cold(context, path, ready) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(path);
  await ready(page);
  await quiet(page);
  await page.close();
  return asked;
}

test("the application begins", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  const { context } = ada;

  await t.test("with few requests", async () => {
    const users = await cold(context, `${site.admin}/users`, (page) => page.getByRole("heading", { name: "Users" }).waitFor());
    assert.ok(users.length <= MOST, `${users.length}: ${users.join(" ")}`);
    assert.equal(new Set(users).size, users.length, `something is asked for twice: ${users.join(" ")}`);
    const stranger = await browser.newContext();
    const login = await cold(stranger, `${site.admin}/login`, (page) => page.getByRole("heading", { level: 1 }).waitFor());
    await stranger.close();
    assert.ok(login.length <= MOST, `${login.length}: ${login.join(" ")}`);
  });

  for (const file of ["libraries", "de"]) {
    await t.test(`with words, in the reader's language, where \`${file}\` does not come, and again when asked to`, async () => {
      const reader = await browser.newContext({ locale: "de-DE" });
      const page = await reader.newPage();
      await page.route(`**/assets/${file}-*.js`, (route) => route.abort());
      await page.goto(`${site.admin}/login`);
      await page.getByText("Die Anwendung konnte nicht geladen werden.").waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Erneut versuchen" }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await reader.close();
    });
  }

  await t.test("from the server's address, with a link to the one where passkeys work", async () => {
    const stranger = await browser.newPage();
    await stranger.goto(new URL("/", site.admin.replace("localhost", "127.0.0.1")).href);
    await stranger.getByRole("link", { name: site.origin }).click();
    await stranger.waitForURL(`${site.admin}/login**`);
    await stranger.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await stranger.getByText("Passkeys work only there.").count(), 0);
    await stranger.close();
  });

  await t.test("anew where a screen is gone since there is a newer version", async () => {
    const { page } = ada;
    await ada.go("/users");
    let times = 0;
    await page.route("**/assets/jobs-*.js", (route) => (times++ === 0 ? route.fulfill({ status: 404 }) : route.continue()));
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    assert.ok(times >= 2);
  });
});
