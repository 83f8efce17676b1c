// How fast lists, planning, the editor and the preview beside it are in a browser:
// `node speed.mjs [list] [planning] [editor] [preview] [--json] [--entries N] [--rounds N]`.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { openBrowser } from "./browser.mjs";
import { getStarted, setUp } from "./door.mjs";
import { openLittleSite } from "./littleSite.mjs";
import { gather, inputs, longest, now, scroll, until } from "./pace.mjs";
import { openSite } from "./site.mjs";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, entries: { type: "string", default: "100000" }, rounds: { type: "string", default: "5" }, keys: { type: "string", default: "150" } },
});
const [ENTRIES, ROUNDS, KEYS] = [given.entries, given.rounds, given.keys].map(Number);
/** How many rows are loaded before anything is done with them. */
const ROWS = Math.min(10_000, ENTRIES);
const [FIELDS, BLOCKS] = [200, 3_000];
/** The time between two keys, in milliseconds: shorter than people need. */
const PAUSE = 60;

const SENTENCE = "The Analytical Engine weaves algebraical patterns just as the loom weaves flowers and leaves. ";

/** What was measured, in milliseconds. */
const measured = [];
const note = (what, samples, target) => measured.push({ what, ...summary(samples), target });

function summary(samples) {
  const sorted = [...samples].sort((one, other) => one - other);
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]);
  return { samples: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Does something several times, and gathers what each took. */
async function repeat(times, what) {
  const samples = [];
  for (let n = 0; n < times; n++) samples.push(await what(n));
  return samples;
}

const PARTS = { list, planning, editor, preview };
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const little = await openLittleSite();
const site = await openSite({ config: parts.includes("preview") ? little.config : "" });
little.cms = site.origin;
const browser = await openBrowser();
try {
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  ada.page.setDefaultTimeout(60_000);
  await ada.context.addInitScript(gather);
  for (const part of parts) await PARTS[part](ada);
  ada.mustNotHaveComplained();
} finally {
  await browser.close();
  await site.close();
  little.close();
}

if (given.json) console.log(JSON.stringify(measured));
else {
  console.log("| What | Median, ms | p95, ms | Longest, ms | Target | |\n|---|---|---|---|---|---|");
  for (const { what, p50, p95, max, target } of measured) console.log(`| ${what} | ${p50} | ${p95} | ${max} | ${target ? `p95 ≤ ${target}` : ""} | ${target ? (p95 <= target ? "met" : "missed") : ""} |`);
}

async function make(ada, collection) {
  const made = await ada.ask("POST", "/schema/collections", collection);
  assert.equal(made.status(), 201, await made.text());
}

/** Brings entries in from a file, which is the quick way. `more` says what each has besides its values. */
async function fill(collection, entries, more = () => ({})) {
  const folder = await mkdtemp(join(tmpdir(), "cms-speed-"));
  try {
    await writeFile(join(folder, "entries.ndjson"), entries.map((data, n) => JSON.stringify({ data, ...more(n) })).join("\n"));
    await site.run("import", "ndjson", join(folder, "entries.ndjson"), "--collection", collection);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function list(ada) {
  const { page } = ada;
  await make(ada, {
    slug: "notes",
    label: "Notes",
    labelSingular: "Note",
    supports: ["drafts", "revisions"],
    fields: [
      { slug: "title", type: "string", label: "Title", indexed: true },
      { slug: "pages", type: "integer", label: "Pages", indexed: true },
      { slug: "mood", type: "select", label: "Mood", indexed: true, validation: { options: ["calm", "wild"] } },
      { slug: "summary", type: "text", label: "Summary" },
    ],
  });
  await fill("notes", Array.from({ length: ENTRIES }, (_, n) => ({ title: `Note ${(n * 7919) % ENTRIES}`, pages: n % 1000, mood: n % 2 ? "calm" : "wild", summary: SENTENCE.repeat(2) })));

  const rows = () => page.locator("tbody [data-row]");
  const first = () => rows().first().innerText();
  const hasRows = () => document.querySelector("tbody [data-row] a") !== null;
  const open = async () => {
    await page.goto(`${site.admin}/content/notes`, { waitUntil: "commit" });
    return until(page, hasRows);
  };
  note(`open a list of ${ENTRIES.toLocaleString("en")}`, await repeat(ROUNDS, open), 1000);

  // To the end of what is there, until enough is.
  const more = await repeat(ROWS / 100 - 1, async () => {
    const before = await page.evaluate(() => [document.documentElement.scrollHeight, performance.now()]);
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
    return (await until(page, (height) => document.documentElement.scrollHeight > height, before[0])) - before[1];
  });
  note("the next 100 rows at its end", more, 1000);
  const count = Number(await page.locator("tbody [data-row]").last().getAttribute("data-row"));
  assert.ok(count > ROWS * 0.9, `only ${count} rows are there`);

  note(`a frame of scrolling through ${ROWS.toLocaleString("en")} rows`, await scroll(page), 50);

  await page.evaluate((height) => window.scrollTo({ top: height / 2, behavior: "instant" }), await page.evaluate(() => document.documentElement.scrollHeight));
  await page.waitForFunction(hasRows);
  await rows().nth(15).getByRole("link").first().focus();
  const press = (key) => (n) => page.keyboard.press(typeof key === "function" ? key(n) : key, { delay: 20 });
  note("from row to row by a key", await inputs(page, KEYS, press((n) => (n % 3 ? "j" : "k")), PAUSE), 50);
  note("select a row by a key", await inputs(page, 30, press("x"), PAUSE), 100);
  note("select all rows that are there, and none", await inputs(page, 20, press((n) => (n % 2 ? "Escape" : "Control+a")), 200), 100);
  note("open and close the menu of an entry", await inputs(page, 20, (n) => (n % 2 ? page.keyboard.press("Escape") : rows().nth(15).getByRole("button").last().click()), 200), 100);

  const shown = async (act) => {
    const before = await first();
    await page.evaluate(() => window.scrollTo(0, 0));
    const start = await now(page);
    await act();
    return (await until(page, (text) => !document.querySelector("[aria-busy=true]") && (document.querySelector("tbody [data-row]")?.innerText ?? text) !== text, before)) - start;
  };
  await open();
  const heads = ["Title", "Updated"];
  note("sort by another column, until its rows are there", await repeat(ROUNDS * 2, (n) => shown(() => page.getByRole("columnheader", { name: heads[n % 2] }).getByRole("button").click())), 500);
  await open();
  const filters = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((pages) => `/_cms/admin/content/notes?filter=pages.is.${pages}`);
  await page.goto(`${site.origin}${filters[0]}`);
  await until(page, hasRows);
  const chip = page.getByRole("list", { name: "Filters" }).getByRole("button").first();
  note(
    "another filter, until its rows are there",
    await repeat(ROUNDS, async (n) => {
      await chip.click();
      await page.getByRole("dialog").getByLabel("Value").fill(String(n + 20));
      return shown(() => page.keyboard.press("Enter"));
    }),
    500,
  );
  await open();
  await page.getByRole("searchbox").focus();
  note("a letter of a search", await inputs(page, 24, (n) => page.keyboard.press("note 1234567890note 12345"[n] === " " ? "Space" : "note 1234567890note 12345"[n]), PAUSE * 3), 50);
  note("the longest task meanwhile", [await longest(page)]);
}


async function planning(ada) {
  const { page } = ada;
  await make(ada, { slug: "plans", label: "Plans", labelSingular: "Plan", supports: ["drafts", "revisions", "scheduling"], fields: [{ slug: "title", type: "string", label: "Title" }] });
  // Two fifths are drafts, two were published within five years, and one is planned for the next two.
  const day = 86_400_000;
  const around = (n, days) => new Date(Date.now() + ((n * 7919) % ENTRIES / ENTRIES) * days * day + (days > 0 ? day : 0)).toISOString();
  const standing = [{ status: "draft" }, { status: "draft" }, { status: "published" }, { status: "published" }, { status: "scheduled" }];
  await fill(
    "plans",
    Array.from({ length: ENTRIES }, (_, n) => ({ title: `Plan ${n}` })),
    (n) => ({ ...standing[n % 5], ...(n % 5 === 4 ? { scheduledAt: around(n, 730) } : n % 5 > 1 ? { publishedAt: around(n, -1825) } : {}) }),
  );
  const what = ENTRIES.toLocaleString("en");

  const hasCards = () => document.querySelectorAll("[data-column]:has(article)").length === 3;
  const openBoard = async () => {
    await page.goto(`${site.admin}/board`, { waitUntil: "commit" });
    return until(page, hasCards);
  };
  note(`open the board of ${what}`, await repeat(ROUNDS, openBoard), 1000);
  const column = page.locator("[data-column=draft] > div");
  const more = await repeat(20, async () => {
    const before = await column.evaluate((element) => [element.scrollHeight, performance.now()]);
    await column.evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: "instant" }));
    return (await until(page, (height) => document.querySelector("[data-column=draft] > div").scrollHeight > height, before[0])) - before[1];
  });
  note("the next 50 cards at the end of a column", more, 1000);
  note("a frame of scrolling through a column", await scroll(page), 50);
  await openBoard();
  await page.locator("[data-column=draft] article a").first().focus();
  note("from card to card by a key", await inputs(page, KEYS, (n) => page.keyboard.press(n % 3 ? "ArrowDown" : "ArrowUp", { delay: 20 }), PAUSE), 50);
  await openBoard();
  const publish = async () => {
    const card = page.locator("[data-column=draft] li").first();
    const id = await card.getAttribute("data-entry");
    await card.getByRole("button").click();
    const item = page.getByRole("menuitem", { name: "Publish" });
    await item.waitFor();
    const start = await now(page);
    await item.click();
    return (await until(page, (id) => document.querySelector(`[data-column=published] [data-entry="${id}"]`) !== null, id)) - start;
  };
  note("publish a card, until it is in its column", await repeat(ROUNDS, publish), 1000);
  note("the longest task meanwhile", [await longest(page)]);

  const hasChips = () => document.querySelector("[data-control=chip]") !== null;
  const openMonth = async () => {
    await page.goto(`${site.admin}/calendar`, { waitUntil: "commit" });
    return until(page, hasChips);
  };
  note(`open the month of ${what}, until something is there`, await repeat(ROUNDS, openMonth), 1000);
  const whole = async () => {
    await openMonth();
    return until(page, () => document.querySelector("[data-control=chip]") !== null && document.querySelector("[aria-busy=true]") === null);
  };
  note("open it, until all of it is there", await repeat(ROUNDS, whole), 3000);
  const step = async (n) => {
    const title = await page.locator("h2[aria-live]").innerText();
    const start = await now(page);
    await page.getByRole("button", { name: n < ROUNDS ? "Later" : "Earlier" }).click();
    return (await until(page, (title) => document.querySelector("h2[aria-live]").innerText !== title && document.querySelector("[data-control=chip]") !== null, title)) - start;
  };
  note("to another month, until something is there", await repeat(ROUNDS * 2, step), 500);
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.locator("[data-day] a").nth(14).focus();
  note("from day to day by a key", await inputs(page, KEYS, (n) => page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][n % 4]), PAUSE), 50);
  note("open and close what there is to know of an entry", await inputs(page, 20, (n) => (n % 2 ? page.keyboard.press("Escape") : page.locator("[data-control=chip]").nth(5).click()), 200), 100);
  note("the longest task meanwhile", [await longest(page)]);
}

/** A field of each type in turn, with a value. The rich text comes second. */
function fieldsAndValues() {
  const kinds = [
    ["string", "A line of text"],
    ["text", SENTENCE.repeat(3)],
    ["number", 1.5],
    ["integer", 42],
    ["boolean", true],
    ["datetime", "2026-03-01T10:00:00Z"],
    ["select", "talk", { validation: { options: ["talk", "essay", "letter"] } }],
    ["multiSelect", ["loom"], { validation: { options: ["loom", "weft", "warp"] } }],
    ["url", "https://example.com/engine"],
    ["json", { loom: [1, 2, 3] }],
    ["repeater", [{ _key: "one", name: "First", size: 1 }, { _key: "two", name: "Second", size: 2 }], { validation: { subFields: [{ slug: "name", type: "string", label: "Name" }, { slug: "size", type: "number", label: "Size" }] } }],
  ];
  const fields = [{ slug: "title", type: "string", label: "Title" }, { slug: "body", type: "portableText", label: "Body" }];
  const values = { title: "On the Engine", body: Array.from({ length: BLOCKS }, (_, n) => block(n)) };
  while (fields.length < FIELDS) {
    const [type, value, more] = kinds[fields.length % kinds.length];
    const slug = `field_${fields.length}`;
    fields.push({ slug, type, label: `Field ${fields.length}`, ...more });
    values[slug] = value;
  }
  return { fields, values };
}

/** The n-th block of a long text: mostly paragraphs, with all that breaks them up. */
function block(n) {
  const _key = `b${n}`;
  const spans = (text) => [{ _type: "span", _key: `${_key}s`, text, marks: [] }, { _type: "span", _key: `${_key}m`, text: "as was said before", marks: ["strong"] }];
  const text = (more, words = SENTENCE.repeat(1 + (n % 4))) => ({ _type: "block", _key, style: "normal", markDefs: [], children: spans(words), ...more });
  const cells = (row) => [0, 1, 2].map((at) => ({ _type: "tableCell", _key: `${_key}c${row}${at}`, content: [{ _type: "span", _key: `${_key}t${row}${at}`, text: `Cell ${row} ${at}`, marks: [] }] }));
  if (n % 50 === 49) return { _type: "table", _key, hasHeaderRow: true, rows: [0, 1, 2, 3].map((row) => ({ _type: "tableRow", _key: `${_key}r${row}`, cells: cells(row) })) };
  if (n % 40 === 39) return { _type: "code", _key, language: "rust", code: 'fn main() {\n    println!("weave");\n}' };
  if (n % 20 === 0) return text({ style: "h2" }, `Part ${n / 20} `);
  if (n % 10 > 6) return text({ listItem: n % 20 > 10 ? "bullet" : "number", level: 1 + (n % 2) }, "A point to make, ");
  if (n % 25 === 11) return text({ style: "blockquote" });
  return text({});
}

async function editor(ada) {
  const { page } = ada;
  const { fields, values } = fieldsAndValues();
  await make(ada, { slug: "works", label: "Works", labelSingular: "Work", supports: ["drafts", "revisions"], fields });
  const made = await ada.ask("POST", "/content/works", { data: values });
  assert.equal(made.status(), 201, await made.text());
  const { id } = (await made.json()).data.item;

  /** The caret stands in the text, all of which is there. */
  const isUsable = (blocks) => {
    const text = document.querySelector(".rt-text");
    if (!text || text.childElementCount < blocks) return false;
    text.focus();
    return document.activeElement === text;
  };
  const what = `an entry of ${FIELDS} fields and ${BLOCKS.toLocaleString("en")} blocks`;
  note(
    `open ${what} by its address`,
    await repeat(ROUNDS, async () => {
      await page.goto(`${site.admin}/content/works/${id}`, { waitUntil: "commit" });
      return until(page, isUsable, BLOCKS);
    }),
    1000,
  );
  note(
    "open it from the list",
    await repeat(ROUNDS, async () => {
      await ada.go("/content/works");
      const link = page.getByRole("link", { name: values.title, exact: true });
      await link.waitFor();
      await page.waitForLoadState("networkidle");
      const start = await now(page);
      await link.click();
      return (await until(page, isUsable, BLOCKS)) - start;
    }),
    1000,
  );

  const isSaved = () => page.waitForFunction(() => /^(Saved \d|All changes saved)/m.test(document.querySelector("[role=status]:has(svg)")?.innerText ?? ""));
  const letters = "the loom weaves patterns ";
  const type = (n) => page.keyboard.press(letters[n % letters.length] === " " ? "Space" : letters[n % letters.length]);
  const text = page.locator(".rt-text");
  const middle = (n) => text.locator(`:scope > p:nth-of-type(${n})`);
  await middle(Math.floor(BLOCKS / 4)).click();
  await page.keyboard.press("End");
  note("a letter in the middle of the text", await inputs(page, KEYS, type, PAUSE), 50);
  note("the longest task meanwhile", [await longest(page)]);
  note("Enter and Backspace there", await inputs(page, 40, (n) => page.keyboard.press(n % 2 ? "Backspace" : "Enter"), PAUSE), 50);
  await page.keyboard.press("Control+a");
  note("all of it bold, and not", await inputs(page, 6, () => page.keyboard.press("Control+b"), 1000));
  await isSaved();

  const line = page.getByRole("textbox", { name: "Field 100", exact: true }).or(page.getByRole("textbox", { name: "Field 99", exact: true })).first();
  await line.click();
  note(`a letter in a field among ${FIELDS}`, await inputs(page, KEYS, type, PAUSE), 50);
  note("the longest task meanwhile", [await longest(page)]);
  await isSaved();

  const save = (key) => async () => {
    await page.keyboard.press("x");
    const start = await now(page);
    await page.waitForFunction(() => /^Saving/m.test(document.querySelector("[role=status]:has(svg)")?.innerText ?? ""));
    if (key) await page.keyboard.press(key);
    await isSaved();
    return (await now(page)) - start;
  };
  note("Ctrl+S until it is saved", await repeat(ROUNDS, save("Control+s")), 1000);
  note("the last key until it is saved by itself", await repeat(ROUNDS, save()));
  await middle(Math.floor(BLOCKS / 4)).click();
  note("Ctrl+S in the text until it is saved", await repeat(ROUNDS, save("Control+s")), 1000);
  await page.reload();
  await page.waitForFunction(isUsable, BLOCKS);
  const stored = (await (await ada.ask("GET", `/content/works/${id}`)).json()).data.item.data;
  assert.ok(stored.body.some(({ children }) => children?.some(({ text }) => text.includes(letters.trim()))));
}

/** From a letter to its paint on the page beside the editor: in a short entry, and in one with a long text. */
async function preview(ada) {
  const { page } = ada;
  const fields = [
    { slug: "title", type: "string", label: "Title" },
    { slug: "body", type: "portableText", label: "Body" },
  ];
  await make(ada, { slug: "pages", label: "Pages", labelSingular: "Page", supports: ["drafts", "revisions", "preview"], urlPattern: "/read/{slug}", fields });
  await page.addInitScript(() => {
    globalThis.pressed = [];
    addEventListener("keydown", ({ timeStamp }) => globalThis.pressed.push(performance.timeOrigin + timeStamp), { capture: true });
  });
  const letters = "the loom weaves patterns ";

  const type = (n) => page.keyboard.press(letters[n % letters.length] === " " ? "Space" : letters[n % letters.length]);
  const write = async (place) => {
    await place.click();
    await page.keyboard.press("End");
    return inputs(page, KEYS, type, PAUSE);
  };
  const title = page.locator("input[name=title]");
  const text = page.locator(".rt-text > p").nth(3);

  /** Types, and finds for each letter when the page had it. */
  async function follow(frame, place) {
    const before = await frame.evaluate(() => globalThis.painted.at(-1)[0]);
    await page.evaluate(() => (globalThis.pressed.length = 0));
    const waits = await write(place);
    await frame.waitForFunction((count) => globalThis.painted.at(-1)[0] >= count, before + KEYS);
    const painted = await frame.evaluate(() => globalThis.painted);
    const pressed = (await page.evaluate(() => globalThis.pressed)).slice(-KEYS);
    return { waits, samples: pressed.map((at, n) => painted.find(([count]) => count > before + n)[1] - at) };
  }

  for (const blocks of [10, BLOCKS]) {
    const what = `an entry of ${blocks.toLocaleString("en")} blocks`;
    const made = await ada.ask("POST", "/content/pages", { data: { title: `A page of ${blocks}`, body: Array.from({ length: blocks }, (_, n) => block(n)) } });
    assert.equal(made.status(), 201, await made.text());
    const { id } = (await made.json()).data.item;
    await page.goto(`${site.admin}/content/pages/${id}`);
    await text.waitFor();
    note(`a letter in the title of ${what} that nobody previews`, await write(title));
    note("a letter in its text", await write(text));
    await page.goto(`${site.admin}/content/pages/${id}?preview=on`);
    await page.getByText("Follows your changes").waitFor();
    const frame = page.frames().find((frame) => frame.url().startsWith(little.origin));
    await frame.waitForFunction(() => globalThis.painted.length > 0);
    for (const [name, place] of [["title", title], ["text", text]]) {
      const { waits, samples } = await follow(frame, place);
      note(`a letter in the ${name} of ${what}, until the page beside it has it`, samples, 300);
      note("the letter in its field meanwhile", waits, 50);
      note("the longest task meanwhile", [await longest(page)]);
    }
  }
}
