// Somebody leaves: what they hold is in one place, each thing can be ended there, and so can all of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accept, getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

test("an administrator sees and ends what somebody holds", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const { inviteUrl } = await made(ada, "/auth/invite", { email: "grace@example.com", role: 50 });
  const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
  const { id } = (await (await grace.ask("GET", "/auth/me")).json()).data;
  const tokens = {};
  for (const name of ["Website build", "Old import"]) tokens[name] = (await made(grace, "/admin/api-tokens", { name, scopes: ["content:read"] })).token;
  const { inviteUrl: friends } = await made(grace, "/auth/invite", { email: "friend@example.com", role: 30 });
  /** What the server says to a program with one of her tokens. */
  const status = async (name) =>
    (await fetch(`${site.origin}/_cms/api/auth/me`, { headers: { authorization: `Bearer ${tokens[name]}` } })).status;
  const press = (name) => page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
  const isSuspended = page.getByText("This account is suspended", { exact: true });

  await t.test("everything is on one page, and a token can be revoked there", async () => {
    await ada.go(`/users/${id}`);
    for (const text of ["Initial passkey", "Chrome on Linux", "Website build", "Old import", "friend@example.com"]) await page.getByText(text).first().waitFor();
    await look(page, "user-holds");
    assert.equal(await status("Old import"), 200);
    await page.getByRole("button", { name: "Revoke Old import" }).click();
    await press("Revoke token");
    await ada.news("The token is revoked.");
    await page.getByText("Old import").waitFor({ state: "detached" });
    assert.equal(await status("Old import"), 401);
    assert.equal(await status("Website build"), 200);
  });

  await t.test("whoever is suspended is out, and their tokens sleep until somebody decides about them", async () => {
    await page.getByRole("button", { name: "Suspend…" }).click();
    await look(page, "dialog-suspend");
    await press("Suspend account");
    await isSuspended.waitFor();
    assert.equal((await grace.ask("GET", "/auth/me")).status(), 401);
    assert.equal(await status("Website build"), 401);
    await page.getByText("Website build").waitFor();
    await page.getByText("Paused").first().waitFor();
    await page.getByRole("button", { name: "Reactivate…" }).click();
    await look(page, "dialog-reactivate");
    await page.getByLabel("Let these work again").check();
    await press("Reactivate account");
    await isSuspended.waitFor({ state: "detached" });
    assert.equal(await status("Website build"), 200);
  });

  await t.test("what is not let back in with an account is gone", async () => {
    await page.getByRole("button", { name: "Suspend…" }).click();
    await press("Suspend account");
    await isSuspended.waitFor();
    await page.getByRole("button", { name: "Reactivate…" }).click();
    assert.equal(await page.getByLabel("Let these work again").isChecked(), false);
    await press("Reactivate account");
    await isSuspended.waitFor({ state: "detached" });
    await page.getByText("No program acts for this person.").waitFor();
    assert.equal(await status("Website build"), 401);
    const somebody = await browser.newPage();
    await somebody.goto(friends);
    await somebody.getByRole("link", { name: "Go to sign-in" }).waitFor();
    await somebody.close();
  });

  await t.test("all access ends at once, and the account stays suspended", async () => {
    await page.getByRole("button", { name: "End all access…" }).click();
    await page.getByRole("alertdialog").getByText("1 passkey").waitFor();
    await look(page, "dialog-end-access");
    await press("End all access");
    await isSuspended.waitFor();
    await page.getByText("No passkeys registered").waitFor();
    await page.getByText("Not signed in anywhere.").waitFor();
  });

  await t.test("the audit log says in words to whom it was done, and what was before and after", async () => {
    await ada.ask("PUT", `/admin/users/${id}`, { role: 40 });
    await ada.go("/audit");
    const row = page.getByRole("row", { name: /Changed a user: grace@example\.com/ });
    await row.getByText("Role:").waitFor();
    assert.match(await row.innerText(), /Admin[^]*Editor/);
    await look(page, "audit-staff");
    await row.getByRole("button", { name: "Changed a user" }).click();
    const dialog = page.getByRole("dialog", { name: "Changed a user" });
    assert.equal(await dialog.locator("pre").count(), 0, "nothing raw unless it is asked for");
    await look(page, "dialog-audit-change");
    await dialog.getByRole("button", { name: "Show raw data" }).click();
    await dialog.locator("pre").waitFor();
    await dialog.getByRole("link", { name: "Everything done to this" }).click();
    await page.getByText("Only on grace@example.com").waitFor();
    for (const words of ["Suspended a user", "Reactivated a user", "Ended a user’s access"]) await page.getByRole("table").getByText(words).first().waitFor();
  });

  await t.test("nobody ends their own access by mistake", async () => {
    const { id: own } = (await (await ada.ask("GET", "/auth/me")).json()).data;
    await ada.go(`/users/${own}`);
    await page.getByText("You cannot suspend yourself.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Suspend…" }).isDisabled());
    assert.ok(await page.getByRole("button", { name: "End all access…" }).isDisabled());
  });

  ada.mustNotHaveComplained();
  await grace.close();
});

async function made(somebody, path, body) {
  const answer = await somebody.ask("POST", path, body);
  assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
  return (await answer.json()).data;
}
