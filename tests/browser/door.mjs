// The first steps on a site, as its pages lead through them.

import { person } from "./browser.mjs";

export const ADA = { email: "ada@example.com", name: "Ada Lovelace" };

/** Goes through the setup with a passkey; whoever did it is signed in, on the dashboard. `onStep` sees each step before it is done. */
export async function setUp(browser, site, { onStep = async () => {}, options } = {}) {
  const ada = await person(browser, site, options);
  const { page } = ada;
  await page.goto(site.setup);
  await page.getByLabel("Title of the site").waitFor();
  await onStep("site", page);
  await page.getByLabel("Title of the site").fill("Notes on the Engine");
  await page.getByLabel("Tagline").fill("Weaving algebraical patterns");
  await page.getByLabel("Start with sample content").uncheck();
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
