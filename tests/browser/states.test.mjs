// What screens do when the server is slow, fails, refuses, or forgets who is asking. The failures are made in the browser's network.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accept, createTokenLate, getStarted, setUp, takeToken } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

/** Every list, by the path that it asks. */
const LISTS = {
  "/account/security": "/auth/sessions",
  "/account/tokens": "/admin/api-tokens",
  "/account/apps": "/oauth/grants",
  "/users": "/admin/users",
  "/invitations": "/auth/invites",
  "/domains": "/admin/allowed-domains",
  "/oauth-clients": "/admin/oauth-clients",
  "/policies": "/admin/policies",
  "/audit": "/admin/audit",
  "/jobs": "/admin/tasks",
  "/import-export": "/models",
  "/model": "/models",
  "/developers/api": "/openapi.json",
};

function failure(status, code) {
  return { status, json: { success: false, error: { code, message: "made for the test" } } };
}

test("screens say what is wrong and offer another try", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const asked = (path) => new RegExp(`/_cms/api${path}(\\?.*)?$`);

  for (const [screen, path] of Object.entries(LISTS)) {
    await t.test(`${screen} shows a skeleton while it waits, and what came afterwards`, async () => {
      let release;
      const waiting = new Promise((resolve) => (release = resolve));
      await page.route(asked(path), async (route) => {
        await waiting;
        await route.continue();
      });
      await ada.go(screen);
      await page.getByRole("status").filter({ hasText: "Loading…" }).first().waitFor({ state: "attached" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      release();
      await page.getByRole("status").filter({ hasText: "Loading…" }).first().waitFor({ state: "detached" });
      await page.unroute(asked(path));
    });

    await t.test(`${screen} says that it failed, and tries again when asked to`, async () => {
      await page.route(asked(path), (route) => route.fulfill(failure(500, "INTERNAL_ERROR")));
      await ada.go(screen);
      const alert = page.getByRole("alert").filter({ hasText: "This could not be loaded" });
      await alert.waitFor();
      await page.unroute(asked(path));
      await alert.getByRole("button", { name: "Try again" }).click();
      await alert.waitFor({ state: "detached" });
    });

    await t.test(`${screen} says that the role does not allow it`, async () => {
      await page.route(asked(path), (route) => route.fulfill(failure(403, "INSUFFICIENT_PERMISSIONS")));
      await ada.go(screen);
      await page.getByText("You cannot see this").waitFor();
      await page.unroute(asked(path));
    });
  }

  await t.test("what the server finds wrong stands at its field", async () => {
    await ada.go("/domains");
    await page.getByRole("button", { name: "Add domain" }).first().click();
    const domain = page.getByLabel("Domain", { exact: true });
    await domain.fill("no domain");
    await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
    await page.locator("[aria-invalid=true]:focus").waitFor();
    assert.equal(await domain.getAttribute("aria-invalid"), "true");
    assert.ok(await page.evaluate(() => document.getElementById(document.activeElement?.getAttribute("aria-describedby")?.split(" ").at(-1))?.textContent));
  });

  await t.test("a screen whose code cannot be fetched while the server is away is there once it is back", async () => {
    await ada.go("/account");
    await page.getByRole("link", { name: "Audit log" }).waitFor();
    await page.route(/\/_cms\/admin(\/|$)/, (route) => route.abort());
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
    await page.unroute(/\/_cms\/admin(\/|$)/);
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    assert.match(ada.complaints.splice(0).join(), /^[^,]*could not be fetched[^,]*$/, "the browser tells of it, once");
  });

  await t.test("an empty field is told before anything is sent", async () => {
    await ada.go("/account/tokens");
    await page.getByRole("button", { name: "Create token" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await page.getByText("Fill in this field.").waitFor();
  });

  await t.test("work that was not saved is not left without a question", async () => {
    await ada.go("/account");
    await page.getByLabel("Name").fill("Countess");
    await page.getByRole("link", { name: "Access tokens" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stay here" }).click();
    assert.equal(await page.getByLabel("Name").inputValue(), "Countess");
    await page.getByRole("button", { name: "Save name" }).click();
    await ada.news("Your name is saved.");
  });

  await t.test("what somebody typed stays when the server changes the rest of the form, and what nobody touched follows the server", async () => {
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "grace@example.com", role: 30 })).json()).data;
    const grace = await accept(browser, site, inviteUrl, "Grace");
    const { id } = (await (await grace.ask("GET", "/auth/me")).json()).data;
    await grace.close();
    await ada.go(`/users/${id}`);
    await page.getByLabel("Name").fill("Admiral Hopper");
    await ada.ask("PUT", `/admin/users/${id}`, { role: 20, name: "Grace Hopper" });
    // Suspending asks for everything about the person anew.
    await page.getByRole("button", { name: "Suspend…" }).click();
    await page.getByRole("button", { name: "Suspend account" }).click();
    await page.getByText("This account is suspended", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Role").inputValue(), "20");
    assert.equal(await page.getByLabel("Name").inputValue(), "Admiral Hopper");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { level: 1, name: "Admiral Hopper" }).waitFor();
  });

  await t.test("filters are part of the address, and the back button keeps them", async () => {
    await ada.go("/users");
    await page.getByLabel("Role").selectOption("40");
    await page.getByText("Nobody matches").waitFor();
    assert.match(page.url(), /role=40/);
    await page.reload();
    await page.getByText("Nobody matches").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Countess" }).waitFor();
    await ada.go("/audit?action=session.sign_out");
    await page.getByText("Nothing matches", { exact: true }).waitFor();
  });

  await t.test("whose session ends in the middle of work signs in again and goes on", async () => {
    await ada.go("/account");
    await page.getByLabel("Name").fill("Ada");
    await ada.ask("POST", "/auth/logout");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign in with a passkey" }).click();
    await ada.news("Your name is saved.");
    assert.equal((await (await ada.ask("GET", "/auth/me")).json()).data.name, "Ada");
  });

  await t.test("whoever does not confirm who they are keeps what they typed, and nothing is sent", async () => {
    await createTokenLate(ada, "Late build", ["passkey", "magicLink"]);
    await look(page, "prove");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Nothing was changed").waitFor();
    assert.equal(await page.getByRole("dialog").getByLabel("Name").inputValue(), "Late build");
    const { items } = (await (await ada.ask("GET", "/admin/api-tokens")).json()).data;
    assert.deepEqual(items, []);
  });

  await t.test("whoever confirms with a passkey who they are finds their request sent by itself, and a copy of their cookie is worth nothing", async () => {
    const sessions = async () => (await (await ada.ask("GET", "/auth/sessions")).json()).data.items;
    const cookies = async () => (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const whoHas = async (cookie) => (await fetch(new URL("/_cms/api/auth/me", page.url()), { headers: { cookie } })).status;
    const [before, copy] = [await sessions(), await cookies()];
    assert.equal(await whoHas(copy), 200);
    await createTokenLate(ada, "Late build", ["passkey"]);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await takeToken(ada, "Late build");
    assert.equal((await sessions()).length, before.length);
    assert.deepEqual([await whoHas(copy), await whoHas(await cookies())], [401, 200]);
  });

  ada.mustNotHaveComplained();
});
