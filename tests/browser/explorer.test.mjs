// Whoever writes a program for the site reads what the API takes, tries it from the screen, as themselves and as a token that may less, and takes the request along
// as code. What changes the site asks first, what is secret is covered, and a token does not outlast the screen.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { accept, getStarted, setUp } from "./door.mjs";
import { look, violations } from "./look.mjs";
import { setStage } from "./stage.mjs";

const run = promisify(execFile);
const stage = setStage();

/** A number that JavaScript reads as another one. */
const LONG = "12345678901234567890";

test("the API is read, tried and taken along", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page, context } = ada;
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: site.origin });
  await getStarted(page);

  const asked = async (method, path, body) => {
    const answer = await ada.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const fields = [{ slug: "title", type: "string", label: "Title" }, { slug: "extra", type: "json", label: "Extra" }];
  await asked("POST", "/schema/collections", { slug: "articles", label: "Articles", fields });
  for (const title of ["First", "Second", "Third"]) await asked("POST", "/content/articles", { data: { title } });
  const tokens = async () => (await asked("GET", "/admin/api-tokens")).items;

  const main = page.getByRole("main");
  const button = (name) => main.getByRole("button", { name, exact: true });
  const region = (name) => main.getByRole("region", { name, exact: true });
  const operations = page.getByRole("navigation", { name: "Operations" });
  const open = async (operation) => {
    await ada.go(`/developers/api?operation=${operation}`);
    await main.getByText(operation, { exact: true }).first().waitFor();
  };
  /** What stands in an editor of code. */
  const code = (label) => main.locator(`.cm-content[aria-label="${label}"]`);
  const write = async (label, text) => {
    await code(label).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };
  const sends = async (path, method = "GET") => {
    const [request] = await Promise.all([page.waitForRequest((request) => request.method() === method && new URL(request.url()).pathname === `/_cms/api${path}`), button("Send").click()]);
    return request;
  };
  const everybodyCanUseIt = async () => assert.deepEqual(await violations(page), []);
  const answered = async (status) => region("Response").getByText(new RegExp(`^${status}`)).first().waitFor();

  await t.test("all operations are listed, and found by any part of their names, whatever the accents", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API explorer" }).click();
    await operations.getByRole("link").nth(150).waitFor({ state: "attached" });
    await look(page, "explorer-beginning");
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("cóntent/{COLLECTION} lïst entries");
    await operations.getByRole("link", { name: "List entries of a collection" }).waitFor();
    await operations.getByRole("link", { name: "Create an entry" }).waitFor({ state: "detached" });
    await search.fill("nothing like this");
    await page.getByText("Nothing found").waitFor();
    await search.fill("");
    await operations.getByRole("link", { name: "List entries of a collection" }).click();
    await page.waitForURL(/[?&]operation=listContent/);
    await main.getByRole("heading", { level: 2, name: "List entries of a collection" }).waitFor();
    await page.reload();
    await main.getByRole("heading", { level: 2, name: "List entries of a collection" }).waitFor();
  });

  await t.test("a question is sent as whoever is signed in, and its answer shown", async () => {
    await button("Send").click();
    await page.getByText("A value is needed here.").waitFor();
    await page.locator("[aria-invalid=true]:focus").waitFor();
    await main.getByLabel(/^collection/).fill("articles");
    await main.getByLabel(/^limit/).fill("2");
    await main.getByRole("combobox", { name: /^order string/ }).selectOption("asc");
    const request = await sends("/content/articles");
    assert.equal(new URL(request.url()).search, "?limit=2&order=asc");
    assert.equal(request.headers()["x-cms-request"], "1");
    await answered(200);
    await region("Response").getByText('"items"').first().waitFor();
    await region("Response").getByText(/\d+ headers/).click();
    await region("Response").getByText("x-request-id").waitFor();
    await look(page, "explorer-operation");
  });

  await t.test("what is refused says so, with its code", async () => {
    await main.getByLabel(/^collection/).fill("nothing");
    await sends("/content/nothing");
    await answered(404);
    await region("Response").getByText("COLLECTION_NOT_FOUND").first().waitFor();
    await main.getByLabel(/^collection/).fill("..");
    await page.getByText("This cannot be part of an address.").waitFor();
  });

  await t.test("the same request is taken along for a shell, and asks for the same there", async () => {
    await main.getByLabel(/^collection/).fill("articles");
    await region("In code").getByRole("button", { name: "Copy" }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(line, /^curl 'http.*\/content\/articles\?limit=2&order=asc' \\\n {2}--header "Authorization: Bearer \$CMS_TOKEN"$/);
    const { token, info } = await asked("POST", "/admin/api-tokens", { name: "Shell", scopes: ["content:read"] });
    const { stdout } = await run("bash", ["-c", `${line} --silent`], { env: { ...process.env, CMS_TOKEN: token } });
    assert.equal(JSON.parse(stdout).data.items.length, 2);
    await asked("DELETE", `/admin/api-tokens/${info.id}`);
    await region("In code").getByRole("tab", { name: "MCP" }).click();
    await region("In code").getByText('"content_list"').waitFor();
  });

  await t.test("what changes the site asks first, once; and a long number arrives as it was typed", async () => {
    await open("createContent");
    await main.getByLabel(/^collection/).fill("articles");
    await write("Body", '{"data": {');
    await page.getByText("This is not JSON yet.").first().waitFor();
    await button("Send").click();
    assert.equal(await page.getByRole("alertdialog").count(), 0, "what is no JSON is not sent");
    await write("Body", `{"data": {"title": "It's", "extra": {"n": ${LONG}}}}`);
    await region("In code").getByText(LONG).waitFor();
    await button("Send").click();
    await page.getByRole("alertdialog", { name: "This changes your site" }).waitFor();
    await look(page, "explorer-asks");
    const [request] = await Promise.all([page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/content/articles")), page.getByRole("alertdialog").getByRole("button", { name: "Send" }).click()]);
    assert.ok(request.postData().includes(LONG), request.postData());
    await answered("(201|400)");
    await sends("/content/articles", "POST");
    assert.equal(await page.getByRole("alertdialog").count(), 0, "whoever was asked is not asked again");
  });

  await t.test("an answer that is on its way can be stopped", async () => {
    await open("listAllContent");
    await page.route(/\/_cms\/api\/content$/, () => undefined);
    await button("Send").click();
    await button("Stop").click();
    await page.getByText("Stopped.").waitFor();
    await page.unroute(/\/_cms\/api\/content$/);
  });

  await t.test("a long answer is cut, which is said, and can be had whole", async () => {
    const long = JSON.stringify({ success: true, data: { items: Array.from({ length: 30_000 }, (_, n) => `entry ${n}`), n: 1 } }).replace('"n":1', `"n":${LONG}`);
    await page.route(/\/_cms\/api\/content$/, (route) => route.fulfill({ status: 200, contentType: "application/json", body: long }));
    await button("Send").click();
    await page.getByText("Only the beginning is shown").waitFor();
    await button("Copy all").click();
    await page.getByText("Copied").first().waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), long);
    const [file] = await Promise.all([page.waitForEvent("download"), button("Save").click()]);
    assert.equal(file.suggestedFilename(), "listAllContent.json");
    await page.unroute(/\/_cms\/api\/content$/);
  });

  await t.test("events are shown as they come, until they are stopped", async () => {
    await open("watchJobs");
    await button("Open the stream").click();
    await region("Response").getByText(/^\d+ events?$/).waitFor();
    await everybodyCanUseIt();
    await button("Stop").click();
    await region("Response").getByText("Closed").waitFor();
  });

  await t.test("a step that a browser takes part in is shown and not sent; an answer with a secret is covered, and not remembered", async () => {
    await open("registerPasskey");
    await page.getByText("Part of a flow in the browser").waitFor();
    assert.equal(await button("Send").count(), 0);
    await everybodyCanUseIt();
    await open("createToken");
    await write("Body", '{"name": "Seen once", "scopes": ["content:read"]}');
    await button("Send").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send" }).click();
    await answered(201);
    await page.getByText("The response contains a secret").first().waitFor();
    assert.equal(await page.getByText("cms_pat_").count(), 0);
    await button("Show response").click();
    await region("Response").getByText(/cms_pat_/).first().waitFor();
    await main.getByRole("tab", { name: "History" }).click();
    await page.getByRole("navigation", { name: "History" }).getByText("not kept").first().waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    assert.ok(!kept.includes("cms_pat_") && !kept.includes("Seen once"), kept);
    const { id } = (await tokens()).find(({ name }) => name === "Seen once");
    await asked("DELETE", `/admin/api-tokens/${id}`);
  });

  await t.test("what was sent is in the history, and comes back with what its form had", async () => {
    await everybodyCanUseIt();
    await page.getByRole("navigation", { name: "History" }).getByRole("link", { name: /createContent/ }).first().click();
    await page.waitForURL(/operation=createContent/);
    await main.getByText(LONG).first().waitFor();
  });

  await t.test("schemas open step by step, those in themselves too", async () => {
    await open("createCollection");
    const members = main.getByRole("list", { name: "Members of the body" });
    await members.getByText("labelSingular", { exact: true }).waitFor();
    await members.getByRole("button", { name: "Members of fields" }).click();
    await members.getByRole("list", { name: "Members of fields" }).getByText("slug", { exact: true }).waitFor();
    await everybodyCanUseIt();
  });

  await t.test("as a token one may less; it is nowhere but in the page, and ends with it", async () => {
    await button("Try with a token…").click();
    await look(page, "explorer-token");
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await main.getByText(/^Token until/).waitFor();
    const [made] = (await tokens()).filter(({ name }) => name === "API explorer");
    assert.deepEqual(made.scopes, ["content:read"]);
    assert.ok(Date.parse(made.expiresAt) - Date.now() <= 3_600_000, made.expiresAt);
    await operations.getByRole("link", { name: "Create an entry" }).click();
    await main.getByLabel(/^collection/).fill("articles");
    await button("Send").click();
    const dialog = page.getByRole("alertdialog");
    const [request] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/content/articles")),
      dialog.getByRole("button", { name: "Send" }).click(),
    ]);
    const headers = await request.allHeaders();
    assert.match(headers.authorization, /^Bearer cms_pat_/);
    assert.equal(headers.cookie, undefined);
    await answered(403);
    await page.getByText("This was sent with a token that can do less than you.").waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    assert.ok(!kept.includes(headers.authorization.slice("Bearer ".length)), "a token is kept nowhere");
  });

  await t.test("tools are listed by the endpoint that agents ask, and called", async () => {
    await main.getByRole("tab", { name: "MCP tools" }).click();
    const tools = page.getByRole("navigation", { name: "MCP tools" });
    await tools.getByRole("link", { name: /content_list / }).waitFor();
    await tools.getByRole("link", { name: /^content_list L/ }).click();
    await page.waitForURL(/tool=content_list/);
    await main.getByLabel(/^collection/).fill("articles");
    await main.getByLabel(/^limit/).fill("1");
    await look(page, "explorer-tool");
    const request = await sends("/mcp", "POST");
    assert.deepEqual(JSON.parse(request.postData()).params, { name: "content_list", arguments: { collection: "articles", limit: 1 } });
    await answered(200);
    await region("Response").getByText('"items"').first().waitFor();
    await main.getByLabel(/^collection/).fill("nothing");
    await sends("/mcp", "POST");
    await page.getByText("The tool reported an error.").waitFor();
    await region("Response").getByText(/COLLECTION_NOT_FOUND/).first().waitFor();
  });

  await t.test("the token is revoked when the explorer is left", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All content" }).click();
    await page.getByRole("heading", { level: 1, name: "All content" }).waitFor();
    await gone();
  });

  /** Waits until no token of the explorer is left. */
  async function gone() {
    for (let tries = 0; (await tokens()).some(({ name }) => name === "API explorer"); tries++) {
      assert.ok(tries < 100, "a token of the explorer is still there");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  await t.test("one of a tab that crashed is revoked when the explorer is opened next, and that of another tab is not", async () => {
    const make = async (page) => {
      await page.goto(`${site.admin}/developers/api`);
      await page.getByRole("button", { name: "Try with a token…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
      await page.getByText(/^Token until/).waitFor();
    };
    const [crashing, other] = [await ada.openTab(), await ada.openTab()];
    await make(crashing.page);
    await crashing.page.evaluate(() => window.addEventListener("pagehide", (event) => event.stopImmediatePropagation(), { capture: true }));
    await crashing.page.route(/\/api-tokens\//, (route) => route.abort());
    await crashing.page.close();
    await make(other.page);
    await ada.go("/developers/api");
    for (let tries = 0; (await tokens()).filter(({ name }) => name === "API explorer").length !== 1; tries++) {
      assert.ok(tries < 100, JSON.stringify(await tokens()));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await other.page.getByText(/^Token until/).waitFor();
    await other.page.close({ runBeforeUnload: true });
    await gone();
  });

  await t.test("on a phone the list and the operation take turns", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await ada.go("/developers/api");
    await operations.getByRole("link", { name: "List entries of a collection" }).click();
    await main.getByRole("heading", { level: 2, name: "List entries of a collection" }).waitFor();
    await main.getByRole("link", { name: "Back to the list" }).click();
    await operations.getByRole("link", { name: "List entries of a collection" }).waitFor();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  await t.test("an editor reads and sends, and a contributor is told kindly that it is not for them", async () => {
    const { inviteUrl } = await asked("POST", "/auth/invite", { email: "carl@example.com", role: 20 });
    const carl = await accept(browser, site, inviteUrl, "Carl");
    await getStarted(carl.page);
    assert.equal(await carl.page.getByRole("link", { name: "API explorer" }).count(), 0);
    await carl.go("/developers/api?operation=listContent");
    await carl.page.getByText("You cannot see this").waitFor();
    await carl.close();
  });

  await t.test("it speaks the language of its reader, from right to left", async () => {
    await page.evaluate(() => localStorage.setItem("cms-language", "ar"));
    await ada.go("/developers/api?operation=listContent");
    await page.locator("html[dir=rtl]").waitFor();
    await main.getByRole("heading", { level: 2 }).first().waitFor();
    await look(page, "explorer-arabic");
    await page.evaluate(() => localStorage.setItem("cms-language", "en"));
  });

  await t.test("a sign-out takes the token along", async () => {
    await ada.go("/developers/api");
    await button("Try with a token…").click();
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await main.getByText(/^Token until/).waitFor();
    const revoked = page.waitForResponse((response) => response.request().method() === "DELETE" && response.url().includes("/admin/api-tokens/"));
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    assert.equal((await revoked).status(), 200);
    await page.waitForURL(/signed-out/);
  });

  ada.mustNotHaveComplained();
});
