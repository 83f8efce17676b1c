// A change of address that the owner of the account did not ask for, stopped from the letter to the address that it has.

import assert from "node:assert/strict";
import { test } from "node:test";

import { person } from "./browser.mjs";
import { ADA, getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { linkIn, openMailbox } from "./mail.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(openMailbox);

test("owners keep their address", async (t) => {
  const { browser, site, service: mail } = stage;
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  await ada.go("/account");

  await t.test("the letter to the present address stops the change and signs everyone out, and its link is spent by a button", async () => {
    const { page } = ada;
    await page.getByLabel("New address").fill("mallory@example.org");
    await page.getByRole("button", { name: "Send confirmation" }).click();
    const letters = await mail.letters({ to: ADA.email, says: "mallory@example.org" }, { to: "mallory@example.org" });
    const [refusal, confirmation] = letters.map(linkIn);
    const owner = await person(browser, site);
    await owner.page.goto(refusal);
    await owner.page.getByRole("heading", { name: "Keep your e-mail address?" }).waitFor();
    await look(owner.page, "refuse-email");
    assert.equal((await ada.ask("GET", "/auth/me")).status(), 200, "looking at the page changes nothing");
    await owner.page.getByRole("button", { name: "Stop the change" }).click();
    await owner.page.getByRole("heading", { name: "Your address stays as it is" }).waitFor();
    await look(owner.page, "refuse-email-done");
    assert.equal((await ada.ask("GET", "/auth/me")).status(), 401);
    // From another page: a browser that is there already would not load it anew.
    for (const [link, button] of [[refusal, "Stop the change"], [confirmation, "Confirm this address"]]) {
      await owner.page.goto("about:blank");
      await owner.page.goto(link);
      await owner.page.getByRole("button", { name: button }).click();
      await owner.page.getByRole("heading", { name: "This link does not work" }).waitFor();
    }
    owner.mustNotHaveComplained();
    await owner.close();
    await ada.go("/account");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByLabel("New address").waitFor();
  });
});
