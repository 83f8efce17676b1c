// The first steps on a site, as its pages lead through them.

import { person } from "./browser.mjs";

export const ADA = { email: "ada@example.com", name: "Ada Lovelace" };

/** Goes through the setup with a passkey; whoever did it is signed in, on the dashboard. `onStep` sees each step before it is done. */
export async function setUp(browser, site, { onStep = async () => {}, options, content = false } = {}) {
  const ada = await person(browser, site, options);
  const { page } = ada;
  await page.goto(site.setup);
  await page.getByLabel("Title of the site").waitFor();
  await onStep("site", page);
  await page.getByLabel("Title of the site").fill("Notes on the Engine");
  await page.getByLabel("Tagline").fill("Weaving algebraical patterns");
  await page.getByLabel("Start with sample content").setChecked(content);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByLabel("E-mail address").waitFor();
  await onStep("account", page);
  await page.getByLabel("E-mail address").fill(ADA.email);
  await page.getByLabel("Your name").fill(ADA.name);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Create passkey and finish" }).waitFor();
  await onStep("passkey", page);
  await page.getByRole("button", { name: "Create passkey and finish" }).click();
  await page.waitForURL(`${site.admin}/`);
  return ada;
}

/** Closes the welcome that a new account is met with, and waits until the server has noted it: pages before that would greet again. */
export async function getStarted(page) {
  const [noted] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith("/api/auth/me")),
    page.getByRole("button", { name: "Get started" }).click(),
  ]);
  await noted.finished();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Accepts an invitation with a passkey, in a browser of one's own. */
export async function accept(browser, site, link, name) {
  const somebody = await person(browser, site);
  const { page } = somebody;
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Create my account" }).click();
  await page.waitForURL(`${site.admin}/`);
  return somebody;
}

/** Opens the form for an access token, fills it in and sends it. The server refuses it once, as it does when somebody signed in long ago. */
export async function createTokenLate(somebody, name, methods) {
  const { page } = somebody;
  let isRefused = false;
  await page.route(/\/_cms\/api\/admin\/api-tokens$/, (route) => {
    if (isRefused || route.request().method() !== "POST") return route.continue();
    isRefused = true;
    const error = { code: "REAUTHENTICATION_REQUIRED", message: "made for the test", details: { methods, within: 600 } };
    return route.fulfill({ status: 403, json: { success: false, error } });
  });
  await somebody.go("/account/tokens");
  await page.getByRole("button", { name: "Create token" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await page.getByRole("alertdialog", { name: "Confirm that it’s you" }).waitFor();
}

/** The token that was created is shown, and in the list afterwards. */
export async function takeToken({ page }, name) {
  await page.getByLabel("Token", { exact: true }).waitFor();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("row", { name }).waitFor();
}
