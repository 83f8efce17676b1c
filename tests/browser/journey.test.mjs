// A site from its first start to its first author, with real passkeys.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accept, ADA, getStarted, setUp } from "./door.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

test("a site is set up, and its people get in and no further than they may", async (t) => {
  const { browser, site } = stage;
  let [ada, author, link] = [];

  await t.test("any page of a fresh site leads to its setup, and the setup ends signed in", async () => {
    // Going back and reloading lose nothing that was typed.
    const onStep = async (step, page) => {
      if (step === "account") {
        await page.getByRole("button", { name: "Back" }).click();
        assert.equal(await page.getByLabel("Title of the site").inputValue(), "Notes on the Engine");
        assert.equal(await page.getByLabel("Tagline").inputValue(), "Weaving algebraical patterns");
        assert.equal(await page.getByLabel("Start with sample content").isChecked(), false);
        await page.getByRole("button", { name: "Continue", exact: true }).click();
        await page.getByLabel("E-mail address").fill("ada@");
        await page.reload();
        assert.equal(await page.getByLabel("E-mail address").inputValue(), "ada@");
      } else if (step === "passkey") {
        await page.reload();
        await page.getByText(ADA.email).waitFor();
      }
    };
    ada = await setUp(browser, site, { onStep });
    const { page } = ada;
    await getStarted(page);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal((await ada.passkeys()).length, 1);
  });

  await t.test("the setup is gone afterwards", async () => {
    const { page } = ada;
    await page.goto(site.setup);
    await page.waitForURL(`${site.admin}/login`);
    const refused = await ada.ask("POST", "/setup", { token: "x".repeat(43), title: "Mine", includeContent: false });
    assert.equal(refused.status(), 404);
  });

  await t.test("she signs out, and pages lead to the sign-in", async () => {
    const { page } = ada;
    await ada.go("/");
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await ada.go("/account/security");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal((await ada.ask("GET", "/auth/me")).status(), 401);
  });

  await t.test("she signs in with her passkey, and is where she wanted to be", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Sign-in and security" }).waitFor();
    await page.getByText("Setup passkey").waitFor();
    await page.getByText("This browser").waitFor();
  });

  await t.test("where the browser suggests her passkey, taking it is enough", async () => {
    const { page } = ada;
    await ada.ask("POST", "/auth/logout");
    await ada.takeSuggestions();
    await ada.go("/account/security");
    await page.getByText("Setup passkey").waitFor();
  });

  await t.test("her only passkey cannot be removed", async () => {
    const { page } = ada;
    assert.ok(await page.getByRole("button", { name: /Setup passkey is your only passkey/ }).isDisabled());
    const { items } = (await (await ada.ask("GET", "/auth/passkey")).json()).data;
    const refused = await ada.ask("DELETE", `/auth/passkey/${items[0].id}`);
    assert.equal((await refused.json()).error.code, "LAST_PASSKEY");
  });

  await t.test("she adds a passkey on a security key, renames it, and removes it", async () => {
    const { page } = ada;
    await ada.changeAuthenticator({ transport: "usb" });
    await page.getByRole("button", { name: "Add passkey" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Blue key");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await ada.news("The passkey is added.");
    const rows = page.getByRole("list", { name: "Passkeys" }).getByRole("listitem");
    assert.match(await rows.filter({ hasText: "Blue key" }).innerText(), /Security key/);
    assert.equal(await rows.count(), 2);

    await page.getByRole("button", { name: "Rename Blue key" }).click();
    await dialog.getByLabel("Name").fill("Red key");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await ada.news("The passkey is renamed.");
    await rows.filter({ hasText: "Red key" }).waitFor();

    await page.getByRole("button", { name: "Remove Red key" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
    await ada.news("The passkey is removed.");
    await rows.filter({ hasText: "Red key" }).waitFor({ state: "detached" });
    assert.equal(await rows.count(), 1);
  });

  await t.test("she invites an author; without mail the link is hers to hand over", async () => {
    const { page } = ada;
    await ada.go("/invitations");
    await page.getByRole("button", { name: "Invite" }).first().click();
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    link = await page.getByLabel("Invitation link").inputValue();
    assert.match(link, /\/_cms\/admin\/invite\/accept#token=[\w-]{43}$/);
    await page.keyboard.press("Escape");
    await page.getByText("Close without copying it?").waitFor();
    await page.getByRole("button", { name: "Go back" }).click();
    assert.equal(await page.getByLabel("Invitation link").inputValue(), link);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("row", { name: /grace@example.com/ }).waitFor();
  });

  await t.test("somebody who has an account cannot be invited, and the form says so", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "Invite" }).first().click();
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  await t.test("the author accepts in a browser of her own, and is signed in", async () => {
    author = await accept(browser, site, link, "Grace Hopper");
    const { page } = author;
    await getStarted(page);
    await author.go("/account");
    await page.getByText("Author", { exact: true }).first().waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Grace Hopper");
  });

  await t.test("the invitation is spent", async () => {
    const { page } = ada;
    await page.reload();
    await page.getByText("No open invitations").waitFor();
    const somebody = await browser.newPage();
    await somebody.goto(link);
    await somebody.getByRole("link", { name: "Go to sign-in" }).waitFor();
    await somebody.close();
  });

  await t.test("she is refused what an author may not do, on the pages and by the server", async () => {
    const { page } = author;
    const navigation = page.getByRole("navigation", { name: "Main" });
    for (const [path, label] of [["/users", "Users"], ["/invitations", "Invitations"], ["/domains", "Sign-up domains"], ["/oauth-clients", "Applications"], ["/audit", "Audit log"]]) {
      await author.go(path);
      await page.getByText("You cannot see this").waitFor();
      assert.equal(await navigation.getByRole("link", { name: label, exact: true }).count(), 0, label);
    }
    const { id } = (await (await author.ask("GET", "/auth/me")).json()).data;
    for (const [method, path, body] of [
      ["GET", "/admin/users"],
      ["GET", `/admin/users/${id}`],
      ["PUT", `/admin/users/${id}`, { role: 50 }],
      ["POST", "/auth/invite", { email: "friend@example.com", role: 50 }],
      ["GET", "/auth/invites"],
      ["POST", "/admin/allowed-domains", { domain: "example.net", defaultRole: 40 }],
      ["GET", "/admin/oauth-clients"],
      ["GET", "/admin/audit"],
      ["POST", "/schema/collections", { slug: "mine", label: "Mine" }],
    ]) {
      const refused = await author.ask(method, path, body);
      assert.equal(refused.status(), 403, `${method} ${path}`);
    }
    const tooMuch = await author.ask("POST", "/admin/api-tokens", { name: "all", scopes: ["admin"] });
    assert.equal(tooMuch.status(), 400);
  });

  await t.test("a token is shown once, and revoked", async () => {
    const { page } = author;
    await author.go("/account/tokens");
    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Website build");
    assert.ok(await dialog.getByRole("checkbox", { name: /Everything/ }).isDisabled());
    await dialog.getByRole("button", { name: "Create token" }).click();
    const secret = await page.getByLabel("Token", { exact: true }).inputValue();
    assert.match(secret, /^cms_pat_[\w-]{43}$/);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("row", { name: /Website build/ }).waitFor();
    await dialog.waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(secret));
    await page.getByRole("button", { name: "Revoke Website build" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("No access tokens").waitFor();
  });

  await t.test("an administrator sees her, suspends her, and she is out at once", async () => {
    const { page } = ada;
    await ada.go("/users?search=hopper");
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor();
    await page.getByRole("button", { name: "Suspend…" }).click();
    await page.getByRole("button", { name: "Suspend account" }).click();
    await page.getByText("This account is suspended", { exact: true }).waitFor();
    assert.equal((await author.ask("GET", "/auth/me")).status(), 401);
  });

  await t.test("the audit log tells all of it, and no secret", async () => {
    const { page } = ada;
    await ada.go("/audit");
    for (const deed of ["Suspended a user", "Created an access token", "Invited somebody", "Removed a passkey", "Signed in with a passkey"]) {
      await page.getByRole("table").getByText(deed).first().waitFor();
    }
    const log = await (await ada.ask("GET", "/admin/audit?limit=100")).text();
    assert.ok(!log.includes(link.split("token=")[1]));
  });

  ada.mustNotHaveComplained();
  author.mustNotHaveComplained();
});
