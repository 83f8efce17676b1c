// What comes by mail: links to sign in, invitations, sign-ups and new addresses, out of real letters and into a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { person } from "./browser.mjs";
import { accept, ADA, createTokenLate, getStarted, setUp, takeToken } from "./door.mjs";
import { look } from "./look.mjs";
import { linkIn, openMailbox } from "./mail.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(openMailbox);

test("letters let people in", async (t) => {
  const { browser, site, service: mail } = stage;
  let [ada, address] = [undefined, ADA.email];

  await t.test("the site is set up, and its name stands at its door and in its frame", async () => {
    ada = await setUp(browser, site);
    await getStarted(ada.page);
    await ada.page.getByRole("link", { name: "Notes on the Engine" }).waitFor();
    assert.match(await ada.page.title(), /· Notes on the Engine$/);
  });

  await t.test("a new address waits until its letter is opened, and the wait can be ended", async () => {
    const { page } = ada;
    await ada.go("/account");
    await page.getByLabel("New address").fill("typo@example.org");
    await page.getByRole("button", { name: "Send confirmation" }).click();
    await page.getByText("Waiting for confirmation").waitFor();
    const link = linkIn(await mail.letter("typo@example.org"));
    await page.reload();
    await page.getByText("typo@example.org").waitFor();
    await look(page, "account-pending");
    await page.getByRole("button", { name: "Keep my address" }).click();
    await page.getByLabel("New address").waitFor();
    const somebody = await person(browser, site);
    await somebody.page.goto(link);
    await somebody.page.getByRole("button", { name: "Confirm this address" }).click();
    await somebody.page.getByRole("heading", { name: "This link does not work" }).waitFor();
    await somebody.close();
  });

  await t.test("of two letters to a new address the second one confirms it", async () => {
    const { page } = ada;
    await page.getByLabel("New address").fill("countess@example.org");
    await page.getByRole("button", { name: "Send confirmation" }).click();
    await mail.letter("countess@example.org");
    await page.getByRole("button", { name: "Send again" }).click();
    await ada.news("The link is on its way again.");
    await page.goto(linkIn(await mail.letter("countess@example.org")));
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await page.getByRole("heading", { name: "Your e-mail address is confirmed" }).waitFor();
    await look(page, "confirm-email-done");
    await ada.go("/account");
    await page.getByText("Confirmed", { exact: true }).waitFor();
    address = "countess@example.org";
    await page.getByText(address).waitFor();
    await mail.letters({ to: ADA.email, says: address }, { to: address, says: ADA.email });
  });

  await t.test("she signs in with a link, once, and the page is the one that she asked for", async () => {
    const { page } = ada;
    await ada.ask("POST", "/auth/logout");
    await ada.go("/users");
    await page.getByLabel("E-mail address").fill(address);
    await page.getByRole("button", { name: "Send me a sign-in link" }).click();
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await look(page, "check-mail");
    const link = linkIn(await mail.letter(address));
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in now" }).click();
    await page.getByRole("heading", { name: /^Hello/ }).waitFor();
    const late = await person(browser, site);
    await late.page.goto(link);
    await late.page.getByRole("button", { name: "Sign in now" }).click();
    await late.page.getByRole("heading", { name: "This link does not work" }).waitFor();
    await late.close();
  });

  await t.test("whoever is signed in is not asked to sign in, and is sent nowhere but into the application", async () => {
    const { page } = ada;
    for (const [from, to] of [
      ["/login", "/"],
      ["/login?return=/users?search%3Dada", "/users?search=ada"],
      [`/login?return=${encodeURIComponent("/account/security#passkeys")}`, "/account/security#passkeys"],
      ["/login?return=//example.org", "/"],
      ["/login?return=https://example.org/", "/"],
      ["/login?return=/login", "/"],
    ]) {
      await ada.go(from);
      await page.waitForURL(`${site.admin}${to}`);
      await page.getByRole("button", { name: "Account menu" }).waitFor();
    }
    await ada.go("/login?error=oauth_denied");
    await ada.news("Access was not granted at the provider.");
  });

  await t.test("a link confirms who she is in the browser that asked for it and in no other, and the page that waits goes on by itself", async () => {
    const { page, context } = ada;
    await createTokenLate(ada, "Website build", ["magicLink"]);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByText("Check your e-mail").waitFor();
    await look(page, "prove-link");
    const link = linkIn(await mail.letter(address));
    const thief = await person(browser, site);
    await thief.page.goto(link);
    await thief.page.getByRole("button", { name: "It’s me" }).click();
    await thief.page.getByText("You did not ask for this link in this browser.").waitFor();
    await thief.close();
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.getByRole("heading", { name: "Confirm that it’s you" }).waitFor();
    await look(tab, "reauth");
    await tab.getByRole("button", { name: "It’s me" }).click();
    await tab.getByRole("heading", { name: "Thank you, that’s confirmed" }).waitFor();
    await tab.close();
    await takeToken(ada, "Website build");
  });

  await t.test("somebody is invited by mail, and accepts", async () => {
    const { page } = ada;
    await ada.go("/invitations");
    await page.getByRole("button", { name: "Invite" }).first().click();
    await page.getByLabel("E-mail address").fill("grace@example.org");
    await page.getByRole("dialog").getByLabel("Role").selectOption("40");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await ada.news("The invitation is on its way.");
    const link = linkIn(await mail.letter("grace@example.org"));
    const somebody = await person(browser, site);
    await somebody.page.goto(link);
    await somebody.page.getByText("grace@example.org").waitFor();
    await look(somebody.page, "invite-accept");
    await somebody.close();
    const grace = await accept(browser, site, link, "Grace Hopper");
    await getStarted(grace.page);
    assert.equal((await (await grace.ask("GET", "/auth/me")).json()).data.role, 40);
    grace.mustNotHaveComplained();
    await ada.go("/users?role=40");
    await page.getByRole("row", { name: /Grace Hopper/ }).getByText("1 passkey").waitFor();
  });

  await t.test("an administrator sends a link to somebody who lost their passkey", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("button", { name: "Send sign-in link" }).click();
    await ada.news("The sign-in link is on its way.");
    const grace = await person(browser, site);
    await grace.page.goto(linkIn(await mail.letter("grace@example.org")));
    await grace.page.getByRole("button", { name: "Sign in now" }).click();
    await grace.page.getByRole("heading", { name: "Hello, Grace" }).waitFor();
    await grace.close();
  });

  await t.test("somebody of an allowed domain signs up, and nobody else", async () => {
    await ada.ask("POST", "/admin/allowed-domains", { domain: "example.net", defaultRole: 20 });
    const alan = await person(browser, site);
    const { page } = alan;
    await alan.go("/login");
    await page.getByRole("link", { name: "Sign up" }).click();
    // Both pages have a field of this name.
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await page.getByLabel("E-mail address").fill("alan@example.net");
    await page.getByRole("button", { name: "Send me a link" }).click();
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await page.goto(linkIn(await mail.letter("alan@example.net")));
    await page.getByLabel("Your name").fill("Alan Turing");
    await look(page, "signup-join");
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.waitForURL(`${site.admin}/`);
    assert.equal((await (await alan.ask("GET", "/auth/me")).json()).data.role, 20);
    alan.mustNotHaveComplained();
  });

  ada.mustNotHaveComplained();
});
