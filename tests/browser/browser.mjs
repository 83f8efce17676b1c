// Chromium, and people in it: each has a profile of their own and an authenticator that makes real passkeys.

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { chromium } from "playwright-core";

/** Browsers, the one first that has no windows around its pages and takes half of what the others take. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The browser on the path. `CMS_TEST_CHROMIUM` names another one. */
export function executable() {
  if (process.env.CMS_TEST_CHROMIUM) return process.env.CMS_TEST_CHROMIUM;
  for (const name of NAMES) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  throw new Error("there is no chromium on the path");
}

/** Chromium does not run its sandbox as root. */
export const flags = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export function openBrowser() {
  return chromium.launch({ executablePath: executable(), args: flags });
}

/** How an authenticator behaves: on this device, with a fingerprint, and pressed at once. */
const AUTHENTICATOR = {
  protocol: "ctap2",
  ctap2Version: "ctap2_1",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

/** How long a page may take to show something, in milliseconds: long for a person, for machines that test other things at the same time. */
export const PATIENCE = 20_000;

/** How long an answer of the server may be held back at random, in milliseconds. A test that then fails does not wait for what it looks at. */
const JITTER = Number(process.env.CMS_TEST_JITTER ?? 0);

/** What each page waits for from the server, and since when that is nothing. */
const waiting = new WeakMap();
/** How long a page asks for nothing until it has come to rest, in milliseconds. */
const REST = 500;
/** How long an answer is waited for, in milliseconds. One that takes longer is held back by a test that looks at the page meanwhile. */
const HELD = 5_000;

/** Listens to what a page asks for. A stream has no end, and neither has the file of the worker that tabs share, as far as a page can see. */
function listen(page) {
  const state = { requests: new Map(), since: Date.now() };
  waiting.set(page, state);
  const isCounted = (request) => request.resourceType() !== "eventsource" && !/\.worker-[^/]*\.js$/.test(request.url());
  const over = (request) => {
    if (state.requests.delete(request)) state.since = Date.now();
  };
  page.on("request", (request) => isCounted(request) && state.requests.set(request, Date.now()));
  page.on("requestfinished", over);
  page.on("requestfailed", over);
}

/** Waits until a page asks for nothing any more. */
export async function quiet(page) {
  if (!waiting.has(page)) listen(page);
  const state = waiting.get(page);
  const until = Date.now() + PATIENCE;
  for (;;) {
    const open = [...state.requests].filter(([, began]) => Date.now() - began < HELD);
    if (open.length === 0 && Date.now() - state.since >= REST) return;
    assert.ok(Date.now() < until, `the page waits for ${open.map(([request]) => request.url()).join(", ")}`);
    await setTimeout(50);
  }
}

/** What is waited for in vain is told together with what is there instead: whoever reads of it hours later has no other look at the page. */
function tellWhatIsThere(page) {
  const locators = Object.getPrototypeOf(page.locator("body"));
  if (Object.hasOwn(locators, "isTold")) return;
  locators.isTold = true;
  for (const name of ["waitFor", "click", "fill", "press", "check", "selectOption", "innerText", "getAttribute"]) {
    const does = locators[name];
    locators[name] = async function (...given) {
      try {
        return await does.apply(this, given);
      } catch (error) {
        if (error.name === "TimeoutError") {
          const page = this.page();
          const there = await page.ariaSnapshot({ timeout: 1_000 }).catch(() => "a page that does not answer");
          error.stack += `\n${page.url()} has\n${there}`;
        }
        throw error;
      }
    };
  }
}

/** Somebody at a browser of their own. `authenticator` changes how theirs behaves. */
export async function person(browser, site, { authenticator = {}, ...options } = {}) {
  const context = await browser.newContext({ baseURL: site.origin, viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
  context.setDefaultTimeout(PATIENCE);
  context.on("page", listen);
  if (JITTER > 0) {
    await context.route("**/_cms/api/**", async (route) => {
      await setTimeout(Math.random() * JITTER);
      // The page may have gone elsewhere meanwhile.
      await route.continue().catch(() => undefined);
    });
  }
  const complaints = [];
  const passkeys = new Map();
  const keep = ({ credential }) => passkeys.set(credential.credentialId, credential);

  /** A tab of this browser, with an authenticator that has the passkeys of all others. */
  async function openTab() {
    const page = await context.newPage();
    // A simulated authenticator answers the suggestions of a sign-in field at once. Pages where somebody presses a button have none.
    await page.addInitScript(() => {
      if (location.protocol === "http:" && !sessionStorage.getItem("suggests-passkeys")) delete PublicKeyCredential.isConditionalMediationAvailable;
    });
    const client = await context.newCDPSession(page);
    await client.send("WebAuthn.enable");
    const plug = (options) => client.send("WebAuthn.addVirtualAuthenticator", { options: { ...AUTHENTICATOR, ...options } });
    const { authenticatorId } = await plug(authenticator);
    client.on("WebAuthn.credentialAdded", keep);
    client.on("WebAuthn.credentialAsserted", keep);
    /** Each use of a passkey is counted, and the next count has to be higher. */
    async function takePasskeys() {
      await client.send("WebAuthn.clearCredentials", { authenticatorId });
      for (const credential of passkeys.values()) await client.send("WebAuthn.addCredential", { authenticatorId, credential });
    }
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      // An answer with a status of failure is written here by the browser; what the page makes of it is what tests look at.
      if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
    });
    return { page, client, authenticatorId, plug, takePasskeys };
  }

  const { page, client, authenticatorId, plug } = await openTab();
  tellWhatIsThere(page);
  return {
    context,
    page,
    /** Goes to a screen of the application, as in `/users`. */
    go: (path) => page.goto(`${site.admin}${path}`),
    /** The passkeys that this person's authenticator holds. */
    passkeys: async () => (await client.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** A second authenticator, such as a key that is plugged in, takes the place of the first. */
    changeAuthenticator: plug,
    openTab,
    complaints,
    /** From here on the browser suggests passkeys in sign-in fields, and its user takes the first one. */
    takeSuggestions: () => page.evaluate(() => sessionStorage.setItem("suggests-passkeys", "yes")),
    /** Waits for news at the edge of the screen. They are also read out, which puts them on the page twice. */
    news: (text) => page.getByText(text).first().waitFor(),
    /** Asks the server as this person's browser does. */
    ask: (method, path, data) =>
      context.request.fetch(`${site.origin}/_cms/api${path}`, { method, data, headers: { "x-cms-request": "1", origin: site.origin } }),
    /** Nothing may have been thrown or complained of: neither errors nor violations of the page's policy. */
    mustNotHaveComplained: () => assert.deepEqual(complaints, []),
    close: () => context.close(),
  };
}
