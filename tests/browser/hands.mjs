// The ways of acting on a page: with a mouse, with a keyboard alone, and with fingers on a phone. What somebody wants is said in the same words for all of
// them; how it is done is theirs, and each has something that must be true of a page for it to be done at all.

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

import { PATIENCE } from "./browser.mjs";
import { PHONE } from "./look.mjs";

/** How often a page is looked at that is not yet as it should be, in milliseconds. */
const GLANCE = 50;

/** The smallest thing that a finger hits (WCAG 2.2, 2.5.8), and the smallest that a screen is for (2.5.5), in CSS pixels. */
const FINGER = { least: 24, main: 44 };

/** Waits until nothing is wrong any more. `look` answers with what still is; `forGood` says that waiting would only hide it. */
async function until(look, forGood = () => false) {
  for (const began = Date.now(); ; await setTimeout(GLANCE)) {
    const wrong = await look();
    if (!wrong) return;
    if (forGood(wrong) || Date.now() - began > PATIENCE) assert.fail(wrong);
  }
}

/** What all of them can do, with the pointer that a subclass has. */
class Hands {
  constructor(page) {
    this.page = page;
  }

  /** Sees a text, or something that a locator finds. */
  async sees(what) {
    await (typeof what === "string" || what instanceof RegExp ? this.page.getByText(what) : what).filter({ visible: true }).first().waitFor();
  }

  /** Does not see something any more. */
  async seesNo(what) {
    await until(async () => ((await what.filter({ visible: true }).count()) > 0 ? `${what} is still there` : undefined));
  }

  /** Whoever writes now writes there, without having to go there first. */
  async standsIn(target) {
    await target.waitFor();
    const elsewhere = (element) => (element.contains(document.activeElement) ? undefined : document.activeElement?.outerHTML.slice(0, 120));
    await until(async () => {
      const place = await target.evaluate(elsewhere);
      return place && `what is typed goes to ${place} instead of ${target}`;
    });
  }

  /** Presses what a screen is there for. */
  async decides(target) {
    await this.presses(target);
  }

  /** Has something done that is far from where one is. */
  async calls(name) {
    await this.decides(this.page.getByRole("main").getByRole("button", { name, exact: true }));
  }

  /** Chooses something in the menu of a button. */
  async chooses(button, name) {
    await this.presses(button);
    await this.presses(this.page.getByRole("menuitem", { name, exact: true }));
  }

  /** Goes to a place of the navigation. */
  async goesTo(name) {
    await this.presses(this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }));
  }

  /** Does something in what stands beside the entry. */
  async beside(work) {
    await work(this.page.getByRole("complementary", { name: "About this entry" }));
  }

  /** Puts a block into the text, and writes on there. */
  async inserts(text, name) {
    await this.chooses(this.page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Insert", exact: true }), name);
    await this.seesNo(this.page.getByRole("menu"));
    await this.standsIn(text);
  }

  /** Goes on to another cell of the table. */
  async nextCell(cell) {
    await this.enters(cell);
  }

  async types(text) {
    await this.page.keyboard.type(text);
  }

  /** Goes on in the empty line below the block that was written last. */
  async goesOn(text) {
    await this.enters(text.locator("> :last-child"));
  }

  /** A new line: each of them has a key for that. */
  async breaksLine() {
    await this.page.keyboard.press("Enter");
  }

  /** What has to be true of the page whenever something was done. */
  async rests() {}

  /** Nothing lies on what is about to be pressed. Whoever sees it there does not wait until it goes. */
  async reaches(target) {
    await target.waitFor();
    await target.scrollIntoViewIfNeeded();
    await until(
      () =>
        target.evaluate(async (element, name) => {
          const moving = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity);
          await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)));
          const above = () => {
            const { x, y, width, height } = element.getBoundingClientRect();
            const found = document.elementFromPoint(x + width / 2, y + height / 2);
            return element.contains(found) ? null : found;
          };
          // What a bar covers is scrolled out from under it.
          if (above() && !above().closest("li[data-state]")) element.scrollIntoView({ block: "center" });
          const covers = above();
          if (!covers) return undefined;
          return `${covers.closest("li[data-state]") ? "news are" : `${covers.outerHTML.slice(0, 120)} is`} in the way of ${name}`;
        }, String(target)),
      (wrong) => wrong.startsWith("news"),
    );
  }
}

/** With a mouse, and with a keyboard for letters. */
export class Mouse extends Hands {
  static options = {};

  async presses(target) {
    await this.reaches(target);
    await target.click();
  }

  async enters(target) {
    await this.presses(target);
  }

  /** Writes something else in a field of one line. */
  async rewrites(field, text) {
    await this.reaches(field);
    await field.click({ clickCount: 3 });
    await this.types(text);
  }
}

/** With fingers on a small screen, whose keyboard puts in words and has none of the keys that lead around. */
export class Phone extends Hands {
  static options = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

  async presses(target, least = FINGER.least) {
    await this.reaches(target);
    const { width, height } = await target.boundingBox();
    assert.ok(width >= least && height >= least, `${target} is ${width} by ${height}: too small to hit`);
    await target.tap();
  }

  async decides(target) {
    await this.presses(target, FINGER.main);
  }

  async enters(target) {
    await this.presses(target);
  }

  async types(text) {
    for (const word of text.match(/\s*\S+|\s+/g) ?? []) await this.page.keyboard.insertText(word);
  }

  async rewrites(field, text) {
    await this.enters(field);
    await this.standsIn(field);
    // A finger at the end of a line puts the caret there.
    const { width, height } = await field.boundingBox();
    await field.tap({ position: { x: width - 8, y: height / 2 } });
    for (let left = (await field.inputValue()).length; left > 0; left--) await this.page.keyboard.press("Backspace");
    await this.types(text);
  }

  async goesTo(name) {
    await this.presses(this.page.getByRole("button", { name: "Navigation" }));
    await super.goesTo(name);
    await this.seesNo(this.page.getByRole("dialog"));
  }

  async beside(work) {
    const sheet = this.page.getByRole("dialog", { name: "About this entry" });
    await this.presses(this.page.getByRole("button", { name: "About this entry" }));
    await work(sheet);
    if (await sheet.isVisible()) await this.presses(sheet.getByRole("button", { name: "Close", exact: true }));
    await this.seesNo(sheet);
  }

  /** Nobody has to push the page sideways to read it. */
  async rests() {
    const wide = await this.page.evaluate(() => {
      const places = [document.documentElement, ...document.querySelectorAll("[role=dialog], [role=alertdialog]")];
      const tooWide = places.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      return tooWide.map(({ tagName, scrollWidth, clientWidth }) => `${tagName} is ${scrollWidth} wide where there is room for ${clientWidth}`);
    });
    assert.deepEqual(wide, []);
  }
}

/** How far somebody goes with Tab before they give up. */
const PATIENT = 60;

/** With a keyboard alone. Its keys are counted but for the letters of what is written; each stop of Tab must be seen. */
export class Keyboard extends Hands {
  static options = {};
  count = 0;

  async #key(key) {
    this.count += 1;
    await this.page.keyboard.press(key);
  }

  async presses(target) {
    await this.enters(target);
    await this.#key("Enter");
  }

  /** Goes with Tab to where something is, as the eye sees it: onwards or back; within menus and toolbars with the arrows. */
  async enters(target) {
    await target.waitFor();
    await this.rests();
    for (let steps = 0; ; steps++) {
      const key = await target.evaluate(keyTo);
      if (key === null) return;
      assert.ok(steps < PATIENT, `${target} is not reached by ${key}`);
      await this.#key(key);
      await this.#mustSee();
    }
  }

  /** As the box at the top says: from wherever one is, by the beginning of a name. */
  async calls(name) {
    // In a text the same keys make a link.
    if (await this.page.evaluate(() => document.activeElement.isContentEditable)) for (const key of ["Escape", "Tab"]) await this.#key(key);
    await this.#key("Control+k");
    await this.standsIn(this.page.getByRole("combobox", { name: "Search or jump to…" }));
    await this.types(name);
    await this.page.getByRole("option", { name, selected: true }).waitFor();
    await this.#key("Enter");
    await this.seesNo(this.page.getByRole("option"));
  }

  async beside(work) {
    const panel = this.page.getByRole("complementary", { name: "About this entry" });
    await this.calls("About this entry");
    await this.standsIn(panel);
    await work(panel);
  }

  async chooses(button, name) {
    await this.presses(button);
    const menu = this.page.getByRole("menu").last();
    await this.standsIn(menu);
    await this.presses(menu.getByRole("menuitem", { name, exact: true }));
  }

  /** As the empty text says: a slash, and a name. */
  async inserts(text, name) {
    await this.#key("/");
    await this.page.getByRole("listbox").waitFor();
    await this.types(name);
    await this.page.getByRole("option", { name, selected: true }).waitFor();
    await this.#key("Enter");
    await this.standsIn(text);
  }

  async nextCell(cell) {
    await this.#key("Tab");
    await until(() => cell.evaluate((element) => (element.contains(getSelection().anchorNode) ? undefined : "Tab did not lead to the next cell")));
  }

  /** As the sheet of shortcuts says. */
  async goesOn() {
    await this.#key("Control+Enter");
  }

  async rewrites(field, text) {
    await this.enters(field);
    await this.#key("Control+a");
    await this.types(text);
  }

  async breaksLine() {
    await this.#key("Enter");
  }

  /** Whoever goes on with the keyboard goes on from where they were. */
  async rests() {
    await until(() => this.page.evaluate(() => (document.activeElement && document.activeElement !== document.body ? undefined : "the keyboard stands nowhere")));
  }

  /** Where the keyboard stands is marked, and under no bar. */
  async #mustSee() {
    await until(() => this.page.evaluate(unseen));
  }
}

/** The key that leads from where the keyboard stands towards an element; none when it is there. */
function keyTo(element) {
  const active = document.activeElement;
  if (active === element || (element.isContentEditable && active.isContentEditable && active.contains(element))) return null;
  const onwards = Boolean(active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  const menu = active.closest("[role=menu], [role=toolbar]");
  if (menu?.contains(element)) {
    if (menu.getAttribute("role") === "menu") return active === menu || onwards ? "ArrowDown" : "ArrowUp";
    return onwards ? "ArrowRight" : "ArrowLeft";
  }
  return onwards ? "Tab" : "Shift+Tab";
}

/** What keeps somebody from seeing where the keyboard stands. */
function unseen() {
  const active = document.activeElement;
  if (!active || active === document.body) return "the keyboard stands nowhere";
  const name = active.outerHTML.slice(0, 160);
  // Around itself, around the row that it stands for, or around the box that it is in.
  const marks = [active, active.parentElement, active.closest(".rt")].flatMap((place) => (place ? [getComputedStyle(place), getComputedStyle(place, "::after")] : []));
  const isMarked = active.matches("[data-highlighted]") || marks.some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2);
  if (!isMarked) return `the keyboard stands at ${name}, which is not marked`;
  // In a text it is the caret that is looked for.
  const range = active.isContentEditable ? getSelection().getRangeAt(0) : null;
  const beside = range && (range.startContainer.childNodes[range.startOffset] ?? range.startContainer);
  const caret = range?.getClientRects()[0] ?? beside?.getBoundingClientRect?.();
  const { left, right, top, bottom } = caret ?? active.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, Math.max(top, Math.min((top + bottom) / 2, top + 20))];
  if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return `the keyboard stands at ${name}, which is not on the screen`;
  const found = document.elementFromPoint(x, y);
  return active.contains(found) ? undefined : `the keyboard stands at ${name}, under ${found?.outerHTML.slice(0, 120)}`;
}
