// Somebody who writes at random in an entry, in up to two tabs of a browser, and does what its screen asks for.

import { setTimeout } from "node:timers/promises";

/** How long a writer tries one thing, in milliseconds. The screen may be another one by then. */
const PATIENCE = 2_000;
const LONGEST = 40_000;
/** How long after a key a tab stays open at least: what is typed is kept in the browser 200 milliseconds later, and written to a disk. */
const KEPT = 450;

const TEXTS = ["title", "summary", "notes"];
const CONFLICT = "Somebody else changed the same place";

/** Notes in a page what is removed there, as it is at that moment. */
function watch() {
  globalThis.removed = [];
  const textOf = (element) => element?.value ?? element?.textContent ?? "";
  const note = (element) => globalThis.removed.push(textOf(element));
  addEventListener("keydown", ({ key, target }) => key === "Backspace" && note(target), true);
  addEventListener("click", ({ target }) => {
    const row = target.closest?.("button")?.getAttribute("aria-label")?.startsWith("Remove row") && target.closest("li");
    if (row) row.querySelectorAll("input").forEach(note);
  }, true);
}

export class Writer {
  name;
  tabs = [];
  #person;
  #chance;
  #words;
  #note;

  constructor({ name, person, chance, words, note }) {
    Object.assign(this, { name });
    this.#person = person;
    this.#chance = chance;
    this.#words = words;
    this.#note = (what, more) => note(what, { who: name, ...more });
  }

  /** Writes in an entry until it is over. */
  async write(address, isOver) {
    while (!isOver()) {
      try {
        await inTime(this.#step(address));
      } catch (error) {
        this.#note("hindered", { why: String(error.message).split("\n")[0] });
      }
      await setTimeout(this.#chance.happens(15) ? this.#chance.between(900, 4_000) : this.#chance.between(0, 700));
    }
  }

  /** Brings all that is open to rest: everything that was kept is taken up, everything is decided and saved. Says what does not come to rest. */
  async settle(address, patience = 90_000) {
    const until = Date.now() + patience;
    if (this.tabs.length === 0) await this.#open(address).catch(() => undefined);
    let told = "";
    while (this.tabs.length > 0 && Date.now() < until) {
      const [tab] = this.tabs;
      try {
        // What is behind another tab is not drawn, and cannot be clicked.
        await tab.page.bringToFront();
        await inTime(this.#answer(tab, address, () => true));
        told = await standingOf(tab.page);
        if (/^(Saved|All changes saved)/.test(told) && (await tab.page.getByText("You have changes that were not saved").count()) === 0) await this.#close(tab);
        else if (told === "") await tab.page.goto(address);
        else if (/signed out|rejected/.test(told)) await tab.page.getByRole("status").getByRole("button").first().click();
        else await tab.page.keyboard.press("Control+s");
      } catch (error) {
        this.#note("hindered", { why: String(error.message), shown: await tab.page.locator("body").ariaSnapshot().catch(String) });
      }
      await setTimeout(300);
    }
    return this.tabs.length === 0 ? undefined : `${this.name}: ${told || "no entry is shown"}`;
  }

  /** What this browser keeps that is not on the server. */
  async kept(address) {
    const { page } = await this.#open(address, LONGEST);
    const notes = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open("cms-drafts");
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const asked = opening.result.transaction("notes").objectStore("notes").getAll();
            asked.onerror = () => reject(asked.error);
            asked.onsuccess = () => resolve(asked.result);
          };
        }),
    );
    await this.#close(this.tabs[0]);
    return notes.filter(({ entry }) => address.includes(entry.split("/").pop()));
  }

  async #step(address) {
    const chance = this.#chance;
    if (this.tabs.length === 0 || (this.tabs.length < 2 && chance.happens(4))) return this.#open(address);
    const tab = chance.pick(this.tabs);
    await tab.page.bringToFront();
    await this.#answer(tab, address, () => chance.happens(35));
    if (chance.happens(4)) return this.#close(tab);
    if (chance.happens(2)) return this.#reload(tab, address);
    if (chance.happens(2)) return this.#leave(tab, address);
    if (chance.happens(4)) return tab.page.keyboard.press("Control+s");
    if (chance.happens(3)) return this.#remove(tab);
    if (chance.happens(8)) return this.#word(tab, "rows");
    return this.#word(tab, chance.pick([...TEXTS, "body", "body", "rows"]));
  }

  async #open(address, patience = PATIENCE) {
    const tab = await this.#person.openTab();
    const { page } = tab;
    page.setDefaultTimeout(PATIENCE);
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
    await page.addInitScript(watch);
    this.tabs.push(tab);
    this.#note("open");
    await page.goto(address, { timeout: patience });
    await page.locator("input[name=title]").waitFor({ timeout: patience });
    return tab;
  }

  async #close(tab) {
    await setTimeout(KEPT);
    this.tabs.splice(this.tabs.indexOf(tab), 1);
    await tab.page.close();
    this.#note("close");
  }

  async #reload({ page }, address) {
    await setTimeout(KEPT);
    this.#note("reload");
    await page.goto(address);
  }

  /** Goes elsewhere in the application, and comes back. */
  async #leave({ page }, address) {
    this.#note("leave");
    await page.getByRole("link", { name: "Profile" }).click();
    const asked = page.getByRole("alertdialog").getByRole("button", { name: "Leave", exact: true });
    await Promise.race([page.waitForURL(/\/account$/, { timeout: 8_000 }), asked.waitFor({ timeout: 8_000 })]);
    if (await asked.count()) await asked.click();
    await page.waitForURL(/\/account$/);
    await page.goto(address);
  }

  /** Does what the screen asks for, where somebody is willing. */
  async #answer(tab, address, isWilling) {
    const { page } = tab;
    if (page.url().includes("/login") && isWilling()) {
      await this.#signIn(tab);
      await page.waitForURL((url) => !url.pathname.endsWith("/login"));
    }
    // Another way may have ended elsewhere.
    if (!page.url().startsWith(address)) await page.goto(address);
    if (await page.getByRole("alertdialog", { name: "Your session has ended" }).count()) {
      if (isWilling()) await this.#signIn(tab);
      else if (this.#chance.happens(20)) await page.getByRole("button", { name: "Not now" }).click();
      return;
    }
    // A question whose answer went wrong is in the way of everything else.
    if (await page.getByRole("alertdialog").count()) await page.keyboard.press("Escape");
    if ((await page.getByText(CONFLICT).count()) && isWilling()) await this.#decide(tab);
    const restore = page.getByRole("button", { name: "Restore", exact: true });
    if ((await restore.count()) && isWilling()) {
      this.#note("restore");
      await restore.click();
    }
    const takeOver = page.getByRole("button", { name: "Take over" });
    if ((await takeOver.count()) && isWilling() && isWilling()) {
      await takeOver.click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Take over" }).click();
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      this.#note("takeover");
    }
    if (await page.locator("[role=dialog], [role=alertdialog]").count()) await page.keyboard.press("Escape");
  }

  async #signIn(tab) {
    await tab.takePasskeys();
    await tab.page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await tab.page.getByRole("alertdialog").waitFor({ state: "detached" });
    this.#note("sign in");
  }

  async #decide({ page }) {
    const dialog = page.getByRole("dialog", { name: CONFLICT });
    // Whoever asks to save is shown it at once.
    if (!(await dialog.count())) await page.getByRole("button", { name: "Compare and choose" }).click();
    const places = dialog.locator("fieldset");
    await places.first().waitFor();
    const decisions = [];
    for (const place of await places.all()) {
      const radios = await place.getByRole("radio").count();
      const choice = this.#chance.pick(radios > 2 ? ["mine", "theirs", "both"] : ["mine", "theirs"]);
      const [mine, theirs] = await place.locator("label").allInnerTexts();
      const isTold = (await place.getByText("it is there twice").count()) > 0;
      decisions.push({ place: await place.locator("legend").innerText(), choice, mine, theirs, isTold });
      await place.getByRole("radio").nth(["mine", "theirs", "both"].indexOf(choice)).check();
    }
    // A click that a slow machine reports as failed may have been done: all of it was shown.
    for (const { choice, mine, theirs, isTold } of decisions) this.#words.choose(choice, mine, theirs, isTold);
    await dialog.getByRole("button", { name: "Apply" }).click();
    this.#note("conflict", { decisions });
  }

  /** Types a word behind what is there. */
  async #word({ page }, place) {
    const field = await this.#into(page, place);
    const word = this.#words.next(this.name, this.#chance.letters(4));
    await page.keyboard.press("Control+End");
    if (place === "body" && this.#chance.happens(30)) await page.keyboard.press("Enter");
    await page.keyboard.type(` ${word}`, { delay: this.#chance.between(0, 60) });
    const text = await textOf(field);
    const seen = this.#words.accept(word, text, { who: this.name, place, at: new Date().toISOString() });
    this.#note("word", { place, word, seen, standing: await standingOf(page), twice: this.#words.twice(text) });
  }

  /** A field with the caret in it. */
  async #into(page, place) {
    if (TEXTS.includes(place) || place === "body") {
      const field = place === "body" ? page.locator(".rt-text") : page.locator(`[name=${place}]`);
      await field.focus();
      return field;
    }
    const rows = page.locator("#field-rows input[name=name]");
    const count = await rows.count();
    if (count === 0 || (count < 6 && this.#chance.happens(20))) {
      await page.getByRole("button", { name: "Add row" }).click();
      await rows.nth(count).waitFor();
    }
    const row = rows.nth(Math.floor(this.#chance.between(0, await rows.count())));
    await row.focus();
    return row;
  }

  /** Removes what is in a field, or a row. */
  async #remove({ page }) {
    await page.evaluate(() => (globalThis.removed = []));
    const remove = page.getByRole("button", { name: "Remove row 2" });
    if (this.#chance.happens(40) && (await remove.count())) {
      await remove.click();
      for (const text of await page.evaluate(() => globalThis.removed)) this.#words.remove(text);
    } else {
      const field = await this.#into(page, this.#chance.pick([...TEXTS.slice(1), "body", "rows"]));
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Backspace");
      const after = await textOf(field);
      for (const text of await page.evaluate(() => globalThis.removed)) this.#words.remove(text, after);
    }
    this.#note("remove", { removed: await page.evaluate(() => globalThis.removed) });
  }
}

const textOf = (field) => field.evaluate((element) => element.value ?? element.textContent);

/** Fails when something takes longer than anything should. */
function inTime(work) {
  return Promise.race([work, setTimeout(LONGEST).then(() => Promise.reject(new Error("it never ended")))]);
}

/** What the header says of the words on the screen; nothing where there is none. */
async function standingOf(page) {
  const told = await page.getByRole("status").allInnerTexts();
  return told.find((text) => /^(Saved|All changes saved|Saving|Not saved|Nothing written)/.test(text)) ?? "";
}
