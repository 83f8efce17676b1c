// Looks at a screen as people see it: light and dark, on a desk and on a phone, from right to left.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

import { quiet } from "./browser.mjs";
import { blessLetters, compared } from "./looks.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const folder = process.env.CMS_SCREENSHOTS ?? new URL("../../target/screenshots", import.meta.url).pathname;

export const DESK = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 740 };
const SIZES = [DESK, PHONE];

/** Takes pictures of a screen in every appearance, and fails where axe finds anything, where it is wider than the window, or where it does not look as it did. */
export async function look(page, name, sizes = SIZES) {
  await mkdir(folder, { recursive: true });
  await settled(page);
  await blessLetters(page);
  const found = [];
  const before = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page);
      found.push(...(await picture(page, `${name}-${colorScheme}-${size.width}`)));
      found.push(...(await violations(page)).map((text) => `${colorScheme} ${size.width}: ${text}`));
    }
    found.push(...(await overflow(page)).map((text) => `${size.width}: ${text}`));
  }
  await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  found.push(...(await overflow(page)).map((text) => `right to left: ${text}`));
  await page.setViewportSize(sizes[0]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await settled(page);
  found.push(...(await picture(page, `${name}-rtl-${sizes[0].width}`)));
  await page.evaluate(() => document.documentElement.setAttribute("dir", "ltr"));
  await page.setViewportSize(before);
  assert.deepEqual(found, [], name);
}

/** What is on the screen now. */
export async function snap(page, name) {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** How long a picture may take, in milliseconds: on a busy machine one took more than twenty seconds, and nothing is claimed of how fast it is. */
const PICTURE = 60_000;

/** The whole page; under an open dialog, what fits on the screen. Answers with how it differs from what is kept. */
async function picture(page, name) {
  const fullPage = (await page.locator("[data-modal]").count()) === 0;
  return compared(page, name, () => page.screenshot({ path: `${folder}/${name}.png`, fullPage, animations: "disabled", timeout: PICTURE }));
}

/** What axe finds on a page, as lines. It looks from the top: what a bar covers for as long as somebody has scrolled counts as too small to press. */
export async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(async () => {
    const top = window.scrollY;
    window.scrollTo({ top: 0, behavior: "instant" });
    const found = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] });
    window.scrollTo({ top, behavior: "instant" });
    return found;
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

/** Waits until fonts, transitions and what is being fetched have come to rest. */
async function settled(page) {
  await quiet(page);
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity).map((animation) => animation.finished.catch(() => undefined)));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Nothing sticks out of the page, so that nobody has to scroll sideways. */
async function overflow(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1).slice(0, 3);
    return [`${scrollWidth} wide: ${wide.map((element) => `${element.tagName}.${element.className}`).join(" | ")}`];
  });
}
