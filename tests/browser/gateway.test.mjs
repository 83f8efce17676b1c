// A site behind an access gateway: whom it vouches for is in, and the pages say what it decides.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openGateway } from "../node/gateway.mjs";
import { person } from "./browser.mjs";
import { ADA, getStarted } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(openGateway);

/** Somebody whose requests come through the gateway. */
async function through(email, name) {
  return person(stage.browser, stage.site, { extraHTTPHeaders: await stage.service.vouch(email, name) });
}

test("behind a gateway its people are in, and nobody is asked for anything else", async (t) => {
  const { browser, site } = stage;
  const ada = await through(ADA.email, ADA.name);
  const { page } = ada;

  await t.test("the first one names the site and is its administrator", async () => {
    await page.goto(site.setup);
    await page.getByLabel("Title of the site").fill("Notes on the Engine");
    await look(page, "gateway-setup");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.waitForURL(`${site.admin}/`);
    await page.getByRole("dialog", { name: "Welcome, Ada" }).waitFor();
    await getStarted(page);
    await page.getByText("you get in through the gateway").waitFor();
    await look(page, "gateway-dashboard");
  });

  const shown = {
    security: ["/account/security", "You get in through the gateway"],
    account: ["/account", "The gateway knows you by this address."],
    invitations: ["/invitations", "The gateway decides who gets in"],
    domains: ["/domains", "The gateway decides who gets in"],
  };
  for (const [name, [path, text]] of Object.entries(shown)) {
    await t.test(`${name} says what the gateway decides`, async () => {
      await ada.go(path);
      await page.getByText(text).waitFor();
      await look(page, `gateway-${name}`);
    });
  }

  await t.test("whoever comes next is in at once, and no further than their role", async () => {
    const grace = await through("grace@example.com", "Grace Hopper");
    await grace.go("/");
    await grace.page.getByRole("dialog", { name: "Welcome, Grace" }).getByText("Author").waitFor();
    await getStarted(grace.page);
    await grace.go("/users");
    await grace.page.getByText("You cannot see this").waitFor();
    grace.mustNotHaveComplained();
    await grace.close();
  });

  await t.test("of people nothing is said that only counts without it", async () => {
    await ada.go("/users");
    await page.getByRole("link", { name: "Grace Hopper" }).waitFor();
    assert.equal(await page.getByText("Signs in with").count() + await page.getByRole("button", { name: "Invite" }).count(), 0);
    await look(page, "gateway-users");
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor();
    await page.getByRole("button", { name: "Suspend…" }).waitFor();
    assert.equal(await page.getByText(/sign-in link/).count(), 0);
    await look(page, "gateway-user");
  });

  await t.test("whoever signs out reads that the gateway still knows them", async () => {
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("The gateway still knows you").waitFor();
    await look(page, "gateway-signed-out");
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByRole("heading", { level: 1, name: "Hello, Ada" }).waitFor();
  });

  await t.test("whoever does not come through it reads where to go, and finds no other way in", async () => {
    const eve = await person(browser, site);
    await eve.go("/users");
    await eve.page.getByRole("heading", { level: 1, name: "This site lets people in through its gateway" }).waitFor();
    await look(eve.page, "gateway-login");
    eve.mustNotHaveComplained();
    await eve.close();
  });

  ada.mustNotHaveComplained();
});
