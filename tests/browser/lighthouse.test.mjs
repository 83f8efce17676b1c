// What Lighthouse makes of the built application: accessibility and best practices.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import lighthouse from "lighthouse";

import { openBrowser, executable, flags, PATIENCE } from "./browser.mjs";
import { openSite } from "./site.mjs";
import { setUp } from "./door.mjs";

/** The least of both scores. */
const LEAST = 95;

test("the application scores at least 95", async (t) => {
  const site = await openSite();
  // Lighthouse drives a browser of its own, by its debugging port.
  const profile = await mkdtemp(join(tmpdir(), "cms-lighthouse-"));
  const chromium = spawn(executable(), [...flags, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"], { stdio: "ignore" });
  const gone = new Promise((resolve) => chromium.once("exit", resolve));
  try {
    const port = await debuggingPort(profile);
    const score = async (name, path) => {
      const ran = await lighthouse(`${site.admin}${path}`, { port, onlyCategories: ["accessibility", "best-practices"], logLevel: "error", disableStorageReset: true });
      const { categories, audits, runtimeError, finalDisplayedUrl } = ran.lhr;
      assert.equal(finalDisplayedUrl, `${site.admin}${path}`);
      assert.equal(runtimeError, undefined);
      const scores = Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)]);
      t.diagnostic(`${name}: ${scores.map((score) => score.join(" ")).join(", ")}`);
      const failed = Object.values(audits).filter(({ score }) => score !== null && score < 1).map(({ id, title }) => `${id}: ${title}`);
      for (const [id, score] of scores) assert.ok(score >= LEAST, `${name}: ${id} ${score}\n${failed.join("\n")}`);
    };

    await t.test("the sign-in", async () => {
      const browser = await openBrowser();
      const ada = await setUp(browser, site);
      t.cookies = await ada.context.cookies();
      await browser.close();
      await score("sign-in", "/login");
    });
    await t.test("the users, signed in", async () => {
      const { chromium: playwright } = await import("playwright-core");
      const attached = await playwright.connectOverCDP(`http://127.0.0.1:${port}`);
      await attached.contexts()[0].addCookies(t.cookies);
      await score("users", "/users");
      await attached.close();
    });
  } finally {
    chromium.kill();
    await gone;
    await site.close();
    await rm(profile, { recursive: true, force: true });
  }
});

/** The port that a browser writes into its profile when it listens. */
async function debuggingPort(profile) {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await setTimeout(100)) {
    try {
      const port = Number((await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n")[0]);
      // The file is there before what is in it.
      if (port > 0) return port;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  throw new Error("the browser does not listen");
}
