// What Lighthouse makes of the built application, as on a phone: accessibility and best practices are tested, and performance is told.

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
import { getStarted, setUp } from "./door.mjs";

/** Machines that do other things at the same time have no speed of their own, so no score is asked of it. */
const TESTED = ["accessibility", "best-practices"];

test("accessibility and best practices are as good as Lighthouse knows", async (t) => {
  const site = await openSite();
  // Lighthouse drives a browser of its own, by its debugging port.
  const profile = await mkdtemp(join(tmpdir(), "cms-lighthouse-"));
  const chromium = spawn(executable(), [...flags, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"], { stdio: "ignore" });
  const gone = new Promise((resolve) => chromium.once("exit", resolve));
  try {
    const port = await debuggingPort(profile);
    const score = async (path) => {
      const ran = await lighthouse(`${site.admin}${path}`, { port, onlyCategories: [...TESTED, "performance"], logLevel: "error", disableStorageReset: true });
      const { categories, audits, runtimeError, finalDisplayedUrl } = ran.lhr;
      assert.equal(finalDisplayedUrl, `${site.admin}${path}`);
      assert.equal(runtimeError, undefined);
      const scores = Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)]);
      t.diagnostic(`${path}: ${scores.map((score) => score.join(" ")).join(", ")}`);
      for (const id of TESTED) {
        const failed = categories[id].auditRefs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 1);
        assert.equal(Math.round(categories[id].score * 100), 100, `${path}: ${failed.map(({ id, title }) => `${id}: ${title}`).join("\n")}`);
      }
    };

    await t.test("the sign-in", async () => {
      const browser = await openBrowser();
      const ada = await setUp(browser, site);
      await getStarted(ada.page);
      const fields = [{ slug: "title", type: "string", label: "Title", indexed: true }, { slug: "body", type: "portableText", label: "Body" }];
      await ada.ask("POST", "/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports: ["drafts", "revisions"], fields });
      for (let n = 0; n < 60; n++) t.entry = (await (await ada.ask("POST", "/content/notes", { data: { title: `Note ${n}` } })).json()).data.item.id;
      t.cookies = await ada.context.cookies();
      await browser.close();
      await score("/login");
    });
    await t.test("lists and the editor, signed in", async () => {
      const { chromium: playwright } = await import("playwright-core");
      const attached = await playwright.connectOverCDP(`http://127.0.0.1:${port}`);
      await attached.contexts()[0].addCookies(t.cookies);
      for (const path of ["/users", "/content/notes", `/content/notes/${t.entry}`]) await score(path);
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
