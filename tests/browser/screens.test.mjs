// Every screen, on a site with something to show: axe in light and dark, no scrolling sideways on a phone, and pictures to look at.

import assert from "node:assert/strict";
import { test } from "node:test";

import { person, quiet } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { look, violations } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

/** The parameters of an application's request; the challenge is the one of RFC 7636, appendix B. */
const REQUEST = {
  response_type: "code",
  client_id: "writer",
  redirect_uri: "http://127.0.0.1/callback",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  scope: "content:read content:write schema:write",
  // A number to whoever takes the parts of addresses for JSON: it has to come back as it was.
  state: "12345678901234567890",
};

/** The technical names of the scopes beside some boxes, in their order. */
function names(boxes) {
  return boxes.evaluateAll((boxes) => boxes.map((box) => box.parentElement.querySelector("code").textContent));
}

test("every screen can be used by everybody and fits on a phone", async (t) => {
  const { browser, site } = stage;
  let ada;

  await t.test("setup", async () => {
    ada = await setUp(browser, site, { onStep: (step, page) => look(page, `setup-${step}`) });
    await ada.page.getByRole("dialog", { name: "Welcome" }).waitFor();
    await look(ada.page, "welcome");
    await getStarted(ada.page);
    await look(ada.page, "dashboard");
  });

  await t.test("something to show", async () => {
    const made = async (path, body) => {
      const answer = await ada.ask("POST", path, body);
      assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
      return (await answer.json()).data;
    };
    await made("/auth/invite", { email: "an.invited.author@example.com", role: 30 });
    const { inviteUrl } = await made("/auth/invite", { email: "grace@example.com", role: 40 });
    const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await grace.close();
    await made("/admin/allowed-domains", { domain: "example.org", defaultRole: 20 });
    await made("/admin/oauth-clients", { id: "writer", name: "Writing assistant", redirectUris: [REQUEST.redirect_uri] });
    await made("/admin/api-tokens", { name: "Website build", scopes: ["content:read", "media:read"], expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() });
    await made("/schema/collections", { slug: "posts", label: "Posts" });
  });

  const shown = {
    account: ["/account", "Profile"],
    security: ["/account/security", "Sign-in and security"],
    tokens: ["/account/tokens", "Access tokens"],
    users: ["/users", "Users"],
    "users-none": ["/users?search=nobody", "Users"],
    invitations: ["/invitations", "Invitations"],
    domains: ["/domains", "Sign-up domains"],
    "oauth-clients": ["/oauth-clients", "Applications"],
    policies: ["/policies", "Policies"],
    audit: ["/audit", "Audit log"],
    jobs: ["/jobs", "Jobs"],
    "import-export": ["/import-export", "Import and export"],
    "not-found": ["/nowhere", "Page not found"],
  };
  for (const [name, [path, heading]] of Object.entries(shown)) {
    await t.test(name, async () => {
      const { page } = ada;
      await ada.go(path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      assert.match(await page.title(), new RegExp(`^${heading}`));
      await look(page, name);
    });
  }

  await t.test("one person", async () => {
    const { page } = ada;
    await ada.go("/users");
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor();
    await look(page, "user");
  });

  const dialogs = {
    "passkey-add": ["/account/security", (page) => page.getByRole("button", { name: "Add passkey" }).click()],
    "passkey-rename": ["/account/security", (page) => page.getByRole("button", { name: /^Rename/ }).first().click()],
    "token-create": ["/account/tokens", (page) => page.getByRole("button", { name: "Create token" }).first().click()],
    "token-revoke": ["/account/tokens", (page) => page.getByRole("button", { name: /^Revoke/ }).first().click()],
    invite: ["/invitations", (page) => page.getByRole("button", { name: "Invite" }).first().click()],
    "domain-add": ["/domains", (page) => page.getByRole("button", { name: "Add domain" }).first().click()],
    "oauth-client-add": ["/oauth-clients", (page) => page.getByRole("button", { name: "Add application" }).first().click()],
    "audit-line": ["/audit", (page) => page.getByRole("table").getByRole("button").first().click()],
    palette: ["/", (page) => page.keyboard.press("Control+k")],
    shortcuts: ["/", (page) => page.keyboard.press("?")],
  };
  for (const [name, [path, open]] of Object.entries(dialogs)) {
    await t.test(`dialog: ${name}`, async () => {
      const { page } = ada;
      await ada.go(path);
      await page.locator("[data-page-heading]").waitFor();
      await quiet(page);
      await open(page);
      const dialog = page.locator("[role=dialog], [role=alertdialog]");
      await dialog.first().waitFor();
      await look(page, `dialog-${name}`);
      assert.ok(await dialog.first().isVisible(), "it stays open whatever size the window takes");
      await page.keyboard.press("Escape");
      await dialog.first().waitFor({ state: "detached" });
    });
  }

  await t.test("an application asks, a scope is taken out, and the answer goes back as it should", async () => {
    const { page } = ada;
    await ada.go(`/authorize?${new URLSearchParams(REQUEST)}`);
    await page.getByRole("heading", { name: "Writing assistant wants access to Notes on the Engine" }).waitFor();
    await page.getByText("A program on this computer").waitFor();
    await page.getByText("127.0.0.1").waitFor();
    const boxes = page.getByRole("checkbox");
    assert.deepEqual(await names(boxes), ["schema:write", "content:write", "content:read"], "what can do the most harm comes first");
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 3, "an administrator looked at this application");
    await look(page, "authorize");
    await page.getByRole("checkbox", { name: /Change the content model/ }).uncheck();
    await page.route(`${REQUEST.redirect_uri}?*`, (route) => route.fulfill({ body: "back", contentType: "text/plain" }));
    await page.getByRole("button", { name: "Allow access" }).click();
    await page.waitForURL(`${REQUEST.redirect_uri}?*`);
    const back = new URL(page.url()).searchParams;
    assert.equal(back.get("state"), REQUEST.state);
    assert.equal(back.get("iss"), `${site.origin}/_cms`);
    assert.match(back.get("code"), /^[\w-]{43}$/);
    const spent = await ada.context.request.post(`${site.origin}/_cms/api/oauth/token`, {
      form: { grant_type: "authorization_code", code: back.get("code"), client_id: "writer", redirect_uri: REQUEST.redirect_uri, code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" },
    });
    assert.equal((await spent.json()).scope, "content:read content:write");
  });

  await t.test("a whole account is never ticked before somebody ticks it", async () => {
    const { page } = ada;
    await ada.go(`/authorize?${new URLSearchParams({ ...REQUEST, scope: "admin content:read" })}`);
    await page.getByText("“Everything” starts unticked.").waitFor();
    assert.deepEqual(await names(page.getByRole("checkbox", { checked: true })), ["content:read"]);
    await look(page, "authorize-everything");
  });

  await t.test("an application that registered itself is said to have done so", async () => {
    const { page } = ada;
    const registered = await ada.context.request.post(`${site.origin}/_cms/api/oauth/register`, {
      data: { client_name: "Trusted Bank", redirect_uris: [REQUEST.redirect_uri], token_endpoint_auth_method: "none" },
    });
    const { client_id: client } = await registered.json();
    await ada.go(`/authorize?${new URLSearchParams({ ...REQUEST, client_id: client })}`);
    await page.getByRole("heading", { name: "Trusted Bank wants access to Notes on the Engine" }).waitFor();
    await page.getByText("This application registered itself").waitFor();
    for (const [scope, isTicked] of [["Change the content model", false], ["Write content", true], ["Read content", true]]) {
      assert.equal(await page.getByRole("checkbox", { name: new RegExp(scope) }).isChecked(), isTicked, scope);
    }
    await look(page, "authorize-registered");
    await ada.go(`/authorize?${new URLSearchParams(REQUEST)}`);
    await page.getByRole("heading", { name: "Writing assistant wants access to Notes on the Engine" }).waitFor();
    assert.equal(await page.getByText("This application registered itself").count(), 0);
  });

  await t.test("the audit log tells an application that was allowed from one that was denied", async () => {
    const { page } = ada;
    await ada.go(`/authorize?${new URLSearchParams(REQUEST)}`);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`${REQUEST.redirect_uri}?*`);
    assert.equal(new URL(page.url()).searchParams.get("error"), "access_denied");
    await ada.go("/audit?action=oauth.decide");
    for (const words of ["Allowed an application", "Denied an application"]) await page.getByRole("table").getByText(words).waitFor();
    await look(page, "audit-decisions");
  });

  await t.test("an application that is not known gets nothing, and the browser stays", async () => {
    const { page } = ada;
    await ada.go(`/authorize?${new URLSearchParams({ ...REQUEST, client_id: "stranger" })}`);
    await page.getByRole("heading", { name: "This request cannot be answered" }).waitFor();
    await look(page, "authorize-refused");
    // The server's own page, before the application is there.
    await page.goto(`${site.origin}/_cms/oauth/authorize?${new URLSearchParams({ ...REQUEST, client_id: "stranger" })}`);
    await page.getByRole("heading", { name: "This request cannot be answered" }).waitFor();
    assert.notEqual(await page.locator("main").evaluate((main) => getComputedStyle(main).borderTopWidth), "0px", "its policy lets its style in");
    await look(page, "authorization-refused");
  });

  await t.test("a device is let in by its code", async () => {
    const { page } = ada;
    const asked = await ada.context.request.post(`${site.origin}/_cms/api/oauth/device/code`, { form: { client_id: "cms-cli", scope: "content:read content:write" } });
    const { user_code: code, verification_uri_complete: address } = await asked.json();
    await ada.go("/device");
    assert.ok(await page.getByRole("button", { name: "Continue" }).isDisabled());
    await look(page, "device");
    await page.getByLabel("Code").fill("ABCD2345");
    assert.equal(await page.getByLabel("Code").inputValue(), "ABCD-2345");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").waitFor();
    await page.goto(address);
    assert.equal(await page.getByLabel("Code").inputValue(), code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Allow access" }).waitFor();
    await look(page, "device-decide");
    await page.getByRole("button", { name: "Allow access" }).click();
    await page.getByRole("heading", { name: "Your device is connected" }).waitFor();
    await look(page, "device-done");
  });

  await t.test("connected applications", async () => {
    const { page } = ada;
    await ada.go("/account/apps");
    await page.getByText("Writing assistant").waitFor();
    await look(page, "apps");
    await page.getByRole("button", { name: "Change what Writing assistant may do" }).click();
    const dialog = page.getByRole("dialog");
    const boxes = dialog.getByRole("checkbox");
    await boxes.first().uncheck();
    await look(page, "apps-narrow");
    const left = (await boxes.count()) - 1;
    await dialog.getByRole("button", { name: "Save" }).click();
    await ada.news("The application may do less from now on.");
    const grants = (await (await ada.ask("GET", "/oauth/grants")).json()).data.items;
    assert.equal(grants.find(({ client }) => client.name === "Writing assistant").scopes.length, left);
    await page.getByRole("button", { name: "Disconnect Writing assistant" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
    await ada.news("The application is disconnected.");
  });

  await t.test("by keyboard alone: skip to the content, search, and open a person", async () => {
    const { page } = ada;
    await ada.go("/users");
    await page.getByRole("link", { name: "Grace Hopper" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("grace");
    await page.waitForURL(/search=grace/);
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.textContent)) === "Grace Hopper") break;
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor();
    await page.goBack();
    assert.equal(await page.getByRole("searchbox").inputValue(), "grace");
  });

  await t.test("in the dark by choice, in another language, from right to left", async () => {
    const { page } = ada;
    await page.evaluate(() => {
      localStorage.setItem("cms-language", "ar");
      localStorage.setItem("cms-theme", "dark");
    });
    await ada.go("/account/security");
    await page.locator("[data-page-heading]").waitFor();
    await quiet(page);
    assert.equal(await page.evaluate(() => document.documentElement.dir), "rtl");
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => localStorage.clear());
  });

  await t.test("before the door", async () => {
    const somebody = await person(browser, site);
    const pages = {
      login: "/login?return=/users",
      // A code that nobody knows, and that every object has as a member.
      "login-error": "/login?error=constructor",
      signup: "/signup",
      "magic-link": `/magic-link#token=${"x".repeat(43)}`,
      "invite-bad": `/invite/accept#token=${"x".repeat(43)}`,
      "confirm-email": `/confirm-email#token=${"x".repeat(43)}`,
      "refuse-email-bad": "/refuse-email",
      "signed-out": "/signed-out",
    };
    for (const [name, path] of Object.entries(pages)) {
      await somebody.page.goto("about:blank");
      await somebody.go(path);
      await somebody.page.locator("[data-page-heading]").waitFor();
      await look(somebody.page, name);
    }
    const arabic = await person(browser, site, { locale: "ar" });
    await arabic.go("/login");
    await arabic.page.locator("[data-page-heading]").waitFor();
    assert.equal(await arabic.page.evaluate(() => document.documentElement.dir), "rtl");
    assert.deepEqual(await violations(arabic.page), []);
    somebody.mustNotHaveComplained();
    arabic.mustNotHaveComplained();
  });

  ada.mustNotHaveComplained();
});
