// Somebody comes here for the first time, and does with an article all that is done with one. The walk is written once, and done three times: with a mouse,
// with a keyboard alone, and on a phone. After each step there is what they are looking for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { person } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { Keyboard, Mouse, Phone } from "./hands.mjs";
import { snap } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(() => ({ config: '[site]\nlocales = ["en", "de"]\n', close: () => undefined }));

const PEOPLE = [
  { way: "with a mouse", name: "Mary Somerville", Hands: Mouse, collection: { slug: "essays", label: "Essays", labelSingular: "Essay" } },
  { way: "with a keyboard alone", name: "Grace Hopper", Hands: Keyboard, collection: { slug: "lectures", label: "Lectures", labelSingular: "Lecture" } },
  { way: "on a phone", name: "Joan Clarke", Hands: Phone, collection: { slug: "stories", label: "Stories", labelSingular: "Story" } },
];

const FIELDS = [
  { slug: "title", type: "string", label: "Title", required: true },
  { slug: "text", type: "portableText", label: "Text" },
];
const MADE = { supports: ["drafts", "revisions", "scheduling", "preview"], hasSeo: true, urlPattern: "/read/{slug}", fields: FIELDS };

/** The role of whoever publishes what they write. */
const EDITOR = 40;

const TABLE = [
  ["Thread", "Colour", "Weight"],
  ["Wool", "Red", "12"],
];
const CODE = "for card in deck { weave(card) }";
const VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

/** What a text is made of, without the words. */
const made = (text) => text.map(({ _type, style }) => style ?? _type);

test("somebody who was never here takes an article all the way", { concurrency: true }, async (t) => {
  const { browser, site } = stage;
  const people = [];
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  for (const { way, name, Hands, collection } of PEOPLE) {
    const answer = await ada.ask("POST", "/schema/collections", { ...MADE, ...collection, urlPattern: `/${collection.slug}/{slug}` });
    assert.equal(answer.status(), 201, await answer.text());
    const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: `${collection.slug}@example.com`, role: EDITOR })).json()).data;
    const guest = await accept(browser, site, inviteUrl, name);
    people.push({ way, Hands, collection, storageState: await guest.context.storageState() });
    await guest.close();
  }
  await ada.close();
  // Each of them waits a lot: for what is typed to be saved, for instance.
  await Promise.all(
    people.map(({ way, Hands, collection, storageState }) =>
      t.test(way, async (t) => {
        const somebody = await person(browser, site, { ...Hands.options, storageState });
        await walk(t, { somebody, hands: new Hands(somebody.page), collection });
        somebody.mustNotHaveComplained();
        await somebody.close();
      }),
    ),
  );
});

async function walk(t, { somebody, hands, collection }) {
  const { page } = somebody;
  let [at, isLost] = [0, false];
  /** What somebody wants, done. `keys` is how many of them it may take whoever has nothing else. Without a step, none after it makes sense. */
  const step = (wants, keys, work) =>
    t.test(wants, async (t) => {
      if (isLost) return t.skip();
      isLost = true;
      hands.count = 0;
      await work();
      await hands.rests();
      await snap(page, `walk-${collection.slug}-${String(++at).padStart(2, "0")}`);
      if (hands.count > 0) t.diagnostic(`${hands.count} keys`);
      assert.ok(hands.count <= keys, `it took ${hands.count} keys`);
      isLost = false;
    });

  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  const title = page.getByRole("textbox", { name: "Title" }).first();
  const text = page.getByRole("textbox", { name: "Text", exact: true });
  const saved = page.getByText(/^Saved \d/);
  const cell = (row, column) => text.getByRole("row").nth(row).locator("th, td").nth(column);
  const stands = (status) => main.getByText(status, { exact: true });

  await somebody.go("/");
  await step("is welcomed", 1, async () => {
    await hands.sees("Welcome,");
    await hands.decides(dialog.getByRole("button", { name: "Get started" }));
    await hands.seesNo(dialog);
  });

  await step("finds the collection, which is empty", 12, async () => {
    await hands.goesTo(collection.label);
    await hands.sees(page.getByRole("heading", { level: 1, name: collection.label }));
    await hands.sees("Nothing here yet");
  });

  await step("begins an entry, and stands where it begins", 3, async () => {
    await hands.decides(page.getByRole("link", { name: "New entry" }));
    await hands.sees(page.getByRole("heading", { level: 1, name: `New: ${collection.labelSingular}` }));
    await hands.standsIn(title);
  });

  await step("gives it a title, and sees that it is saved", 0, async () => {
    await hands.types("On looms");
    await hands.sees(page.getByRole("heading", { level: 1, name: "On looms" }));
    await hands.sees(saved);
    await hands.sees(stands("Draft"));
  });

  await step("writes under a heading", 7, async () => {
    await hands.enters(text);
    await hands.inserts(text, "Heading 2");
    await hands.types("What a loom does");
    await hands.breaksLine();
    await hands.types("It weaves.");
    await hands.breaksLine();
    await hands.sees(text.getByRole("heading", { level: 2, name: "What a loom does" }));
    await hands.sees(text.getByText("It weaves."));
  });

  await step("puts in a table, and fills it", 8, async () => {
    await hands.inserts(text, "Table");
    for (const [row, words] of TABLE.entries()) {
      for (const [column, word] of words.entries()) {
        if (row + column > 0) await hands.nextCell(cell(row, column));
        await hands.types(word);
      }
    }
    await hands.sees(text.getByRole("table"));
    for (const [row, words] of TABLE.entries()) {
      for (const [column, word] of words.entries()) assert.equal(await cell(row, column).innerText(), word);
    }
  });

  await step("puts in code", 4, async () => {
    await hands.goesOn(text);
    await hands.inserts(text, "Code block");
    await hands.types(CODE);
    await hands.sees(text.getByText(CODE));
  });

  await step("puts in a video", 5, async () => {
    await hands.goesOn(text);
    await hands.inserts(text, "Embed");
    await hands.standsIn(text.getByRole("textbox", { name: "Address of what to embed" }));
    await hands.types(VIDEO);
    await hands.sees(text.getByText("youtube.com", { exact: true }));
    await hands.breaksLine();
    await hands.types("So does a card.");
    await hands.sees(text.getByText("So does a card."));
    await hands.sees(saved);
  });

  await step("translates it", 15, async () => {
    await hands.beside(async (panel) => {
      await hands.presses(panel.getByRole("button", { name: "Translations" }));
      await hands.presses(panel.getByRole("link", { name: "Translate into German" }));
      await hands.sees(stands("German"));
    });
    await hands.standsIn(title);
    await hands.rewrites(title, "Über Webstühle");
    await hands.sees(page.getByRole("heading", { level: 1, name: "Über Webstühle" }));
    await hands.sees(text.getByRole("heading", { level: 2, name: "What a loom does" }));
    await hands.sees(saved);
  });

  await step("goes back to what was translated", 10, async () => {
    await hands.beside(async (panel) => {
      await hands.presses(panel.getByRole("link", { name: "English" }));
      await hands.sees(page.getByRole("heading", { level: 1, name: "On looms" }));
    });
    await hands.sees(text.getByRole("heading", { level: 2, name: "What a loom does" }));
  });

  await step("schedules it", 18, async () => {
    await hands.beside(async (panel) => {
      await hands.presses(panel.getByRole("button", { name: "Schedule for later" }));
      await hands.presses(panel.getByRole("button", { name: "Choose a date" }));
      await hands.presses(page.getByRole("button", { name: /^Tomorrow, / }));
      await hands.decides(panel.getByRole("button", { name: "Schedule", exact: true }));
      await hands.sees(panel.getByText(/^Scheduled for \d/));
    });
    await hands.sees(stands("Scheduled"));
  });

  await step("publishes it now instead", 4, async () => {
    await hands.calls("Publish");
    await hands.sees(dialog.getByText("Publish this?"));
    await hands.sees(dialog.getByText(/^It is scheduled for /));
    await hands.decides(dialog.getByRole("button", { name: "Publish now" }));
    await hands.seesNo(dialog);
    await hands.sees(stands("Published"));
  });

  await step("corrects it", 8, async () => {
    await hands.rewrites(title, "On looms and cards");
    await hands.sees(saved);
    await hands.sees(stands("Published, edited since"));
  });

  await step("sees what goes live, and lets it", 4, async () => {
    await hands.calls("Publish changes");
    await hands.sees(dialog.getByText("What goes live"));
    await hands.sees(dialog.getByRole("insertion").filter({ hasText: "and cards" }));
    await hands.decides(dialog.getByRole("button", { name: "Publish now" }));
    await hands.seesNo(dialog);
    await hands.sees(stands("Published"));
  });

  await step("compares what was with what is, and brings it back", 26, async () => {
    await hands.beside(async (panel) => {
      await hands.presses(panel.getByRole("button", { name: "History", exact: true }));
      const saves = panel.getByRole("list").getByRole("button").filter({ hasText: "You" });
      await hands.sees(saves.nth(0).getByText("Title", { exact: true }));
      await hands.sees(saves.nth(0).getByText("Live", { exact: true }));
      await hands.presses(saves.nth(1));
      const then = page.getByRole("dialog", { name: /^As it was on/ });
      await hands.presses(then.getByRole("button", { name: "What is different now" }));
      await hands.sees(then.getByRole("insertion").filter({ hasText: "and cards" }));
      await hands.decides(then.getByRole("button", { name: "Restore this version" }));
      await hands.seesNo(then);
    });
    await hands.sees(page.getByRole("heading", { level: 1, name: "On looms", exact: true }));
    await hands.sees(stands("Published, edited since"));
  });

  await step("publishes what was restored", 4, async () => {
    await hands.calls("Publish changes");
    await hands.sees(dialog.getByRole("deletion").filter({ hasText: "and cards" }));
    await hands.decides(dialog.getByRole("button", { name: "Publish now" }));
    await hands.seesNo(dialog);
    await hands.sees(stands("Published"));
  });

  await t.test("the server has just that", async (t) => {
    if (isLost) return t.skip();
    const get = async (path) => (await (await somebody.ask("GET", `/content/${collection.slug}${path}`)).json()).data;
    const { items } = await get("?limit=100");
    const [german, english] = ["de", "en"].map((locale) => items.find((item) => item.locale === locale));
    assert.equal(items.length, 2);
    assert.equal(german.translationGroup, english.translationGroup);
    assert.deepEqual([german.status, german.data.title, german.slug], ["draft", "Über Webstühle", "über-webstühle"]);
    assert.deepEqual([english.status, english.data.title, english.slug, english.hasDraft, english.scheduledAt], ["published", "On looms", "on-looms", false, null]);
    for (const { data } of [german, english]) assert.deepEqual(made(data.text), ["h2", "normal", "table", "code", "embed", "normal"]);
    const [heading, sentence, table, code, embed, end] = english.data.text;
    const words = (spans) => spans.map(({ text }) => text).join("");
    assert.deepEqual([heading, sentence, end].map(({ children }) => words(children)), ["What a loom does", "It weaves.", "So does a card."]);
    assert.deepEqual(table.rows.slice(0, TABLE.length).map(({ cells }) => cells.map(({ content }) => words(content))), TABLE);
    assert.deepEqual([code.code, embed.url], [CODE, VIDEO]);
    const { changes, live } = await get(`/${english.id}/compare`);
    assert.deepEqual([changes, live.title ?? live.data?.title], [[], "On looms"]);
  });
}
