// Signing in at a provider that others wrote, with the buttons that people press.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CLIENT, openProvider } from "../node/provider.mjs";
import { openBrowser, person } from "./browser.mjs";
import { createTokenLate, getStarted, setUp, takeToken } from "./door.mjs";
import { look } from "./look.mjs";
import { openSite } from "./site.mjs";

let browser;
const open = [];

before(async () => {
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  for (const service of open) await service.close();
});

/** A site that knows a provider, which knows the site. */
async function openBoth() {
  const provider = await openProvider();
  const settings = Object.entries({ label: "Work", issuer: provider.issuer, ...CLIENT }).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const site = await openSite({ config: `[providers.oidc.work]\n${settings.join("\n")}\n` });
  provider.serve(new URL(site.origin).port);
  open.push(site, provider);
  return site;
}

/** The provider's own pages want a font from another site: tests talk to this machine alone. */
async function stayHere({ context }) {
  await context.route((url) => !["localhost", "127.0.0.1"].includes(url.hostname), (route) => route.abort());
}

/** Signs in on the provider's pages, and lets the site know who it was. */
async function signIn(page, account) {
  await page.getByPlaceholder("Enter any login").fill(account);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("an account at a provider is linked, used and unlinked", async (t) => {
  const site = await openBoth();
  const ada = await setUp(browser, site);
  const { page } = ada;
  await stayHere(ada);
  await getStarted(page);

  await t.test("whoever thinks better of it at the provider is back where they were, and reads why", async () => {
    await ada.go("/account/security");
    await page.getByRole("button", { name: "Link Work" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("alert").filter({ hasText: "Access was not granted at the provider." }).waitFor();
    await page.getByRole("heading", { name: "Sign-in and security" }).waitFor();
    await look(page, "security-link-refused");
    await page.getByRole("button", { name: "Dismiss" }).first().click();
    await page.waitForURL(`${site.admin}/account/security`);
  });

  await t.test("she links her account", async () => {
    await page.getByRole("button", { name: "Link Work" }).click();
    await signIn(page, "ada");
    await page.getByRole("button", { name: "Unlink Work" }).waitFor();
    await page.getByText("ada@example.org").waitFor();
    assert.equal(page.url(), `${site.admin}/account/security`);
    await look(page, "security-linked");
  });

  await t.test("she signs in with the provider’s button, and is where she wanted to be", async () => {
    await ada.ask("POST", "/auth/logout");
    await ada.go("/account/security");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await look(page, "login-providers");
    await page.getByRole("button", { name: "Continue with Work" }).click();
    await page.getByRole("button", { name: "Unlink Work" }).waitFor();
    await page.getByText("signed in with Work").waitFor();
  });

  await t.test("a window of the provider’s confirms who she is and closes, and the page that waits goes on by itself", async () => {
    await createTokenLate(ada, "Website build", ["provider:work"]);
    const [popup] = await Promise.all([ada.context.waitForEvent("page"), page.getByRole("button", { name: "Continue with Work" }).click()]);
    await popup.getByPlaceholder("Enter any login").fill("ada");
    await popup.getByPlaceholder("and password").fill("x");
    await popup.getByRole("button", { name: "Sign-in" }).click();
    await takeToken(ada, "Website build");
    assert.ok(popup.isClosed());
  });

  await t.test("she unlinks it, and it signs her in no more", async () => {
    await ada.go("/account/security");
    await page.getByRole("button", { name: "Unlink Work" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unlink" }).click();
    await ada.news("Unlinked.");
    await page.getByRole("button", { name: "Link Work" }).waitFor();
    await ada.ask("POST", "/auth/logout");
    await ada.go("/login");
    await page.getByRole("button", { name: "Continue with Work" }).click();
    await page.getByRole("alert").filter({ hasText: "There is no account for you here." }).waitFor();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: /^Hello/ }).waitFor();
  });

  await t.test("an invitation is accepted with it, by whom it is for", async () => {
    const invited = await ada.ask("POST", "/auth/invite", { email: "grace@example.org", role: 30 });
    const { inviteUrl } = (await invited.json()).data;
    for (const [account, isIn] of [["eve", false], ["grace", true]]) {
      const somebody = await person(browser, site);
      await stayHere(somebody);
      await somebody.page.goto(inviteUrl);
      await somebody.page.getByRole("button", { name: "Continue with Work" }).click();
      await signIn(somebody.page, account);
      if (isIn) await getStarted(somebody.page);
      else await somebody.page.getByRole("alert").filter({ hasText: "The invitation is for another e-mail address." }).waitFor();
      assert.equal((await somebody.ask("GET", "/auth/me")).status(), isIn ? 200 : 401);
      await somebody.close();
    }
    await ada.go("/users?search=grace");
    await page.getByRole("row", { name: /grace@example.org/ }).getByText("Work").waitFor();
    await page.getByRole("row", { name: /grace@example.org/ }).getByRole("link").click();
    await page.getByRole("list", { name: "Ways to sign in" }).getByText("grace@example.org").waitFor();
  });

  ada.mustNotHaveComplained();
});

test("a site is set up by somebody who has an account at a provider", async () => {
  const site = await openBoth();
  const ada = await person(browser, site);
  const { page } = ada;
  await stayHere(ada);
  await page.goto(site.setup);
  await page.getByLabel("Title of the site").fill("Notes");
  await page.getByLabel("Start with sample content").uncheck();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByLabel("E-mail address").waitFor();
  await look(page, "setup-account-providers");

  await page.getByRole("button", { name: "Continue with Work" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("alert").filter({ hasText: "Access was not granted at the provider." }).waitFor();

  await page.getByRole("button", { name: "Continue with Work" }).click();
  await signIn(page, "ada");
  await page.waitForURL(`${site.admin}/`);
  await getStarted(page);
  const { role, email, emailVerified } = (await (await ada.ask("GET", "/auth/me")).json()).data;
  assert.deepEqual({ role, email, emailVerified }, { role: 50, email: "ada@example.org", emailVerified: true });
  ada.mustNotHaveComplained();
});
