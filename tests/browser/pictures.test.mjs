// The looks of the screens of content, on a site with something to show. `cargo xtask pictures` compares them; what they do is looked at elsewhere.

import { test } from "node:test";

import { getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(() => ({ config: '[site]\nlocales = ["en", "de"]\n', close: () => undefined }));

const span = (text, ...marks) => ({ _type: "span", _key: text.slice(0, 8), text, marks });
const block = (key, style, ...children) => ({ _type: "block", _key: key, style, markDefs: [], children });

const BODY = [
  block("a", "h2", span("How a loom works")),
  block("b", "normal", span("The warp is held "), span("tight", "strong"), span(", and the weft goes "), span("through", "em"), span(" it.")),
  { ...block("c", "normal", span("Wind the warp")), listItem: "bullet", level: 1 },
  { ...block("d", "normal", span("Thread the heddles")), listItem: "bullet", level: 1 },
  { _type: "code", _key: "e", language: "python", code: "for row in range(12):\n    weave(row)" },
  block("f", "blockquote", span("The Analytical Engine weaves algebraic patterns.")),
];

const FIELDS = [
  { slug: "title", type: "string", label: "Title", required: true, indexed: true },
  { slug: "summary", type: "text", label: "Summary", options: { help: "One or two sentences." } },
  { slug: "body", type: "portableText", label: "Body" },
  { slug: "count", type: "integer", label: "Threads", options: { width: "half" } },
  { slug: "open", type: "boolean", label: "Open to the public", options: { width: "half" } },
  { slug: "kind", type: "select", label: "Kind", validation: { options: ["talk", "essay"] } },
  { slug: "rows", type: "repeater", label: "Parts", validation: { subFields: [{ slug: "name", type: "string", label: "Name", required: true }] } },
];

test("the screens of content look as they did", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const done = async (method, path, data) => {
    const answer = await ada.ask(method, path, data);
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const supports = ["drafts", "revisions", "scheduling", "preview", "seo"];
  await done("POST", "/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports, hasSeo: true, urlPattern: "/notes/{slug}", fields: FIELDS });
  await done("POST", "/schema/collections", { slug: "pages", label: "Pages", labelSingular: "Page", supports: ["drafts"], fields: FIELDS.slice(0, 1) });
  const create = async (data, more = {}) => (await done("POST", "/content/notes", { data, ...more })).item.id;
  const whole = { title: "Notes on the loom", summary: "What a loom is, and what it is not.", body: BODY, count: 480, open: true, kind: "essay", rows: [{ name: "Warp" }, { name: "Weft" }] };
  const id = await create(whole);
  await done("POST", `/content/notes/${id}/publish`, {});
  await done("PUT", `/content/notes/${id}`, { data: { summary: "What a loom is, what it is not, and who works it." } });
  const german = await create({ ...whole, title: "Notizen zum Webstuhl" }, { locale: "de", translationOf: id });
  for (const title of ["Cards and holes", "Bernoulli numbers", "A letter to Faraday"]) await create({ title });
  await done("DELETE", `/content/notes/${await create({ title: "Put away" })}`);
  const title = page.locator("input[name=title]");

  const screens = {
    "content-all": "/content",
    "content-list": "/content/notes",
    "content-empty": "/content/pages",
    "content-trash": "/content/notes/trash",
  };
  for (const [name, path] of Object.entries(screens)) {
    await t.test(name, async () => {
      await ada.go(path);
      await page.locator("[data-page-heading]").waitFor();
      await look(page, name);
    });
  }

  await t.test("editor", async () => {
    await ada.go(`/content/notes/${id}`);
    await title.waitFor();
    await page.locator(".rt-text pre").waitFor();
    for (const section of [/^Translations/, "Outline", "History"]) await page.getByRole("button", { name: section, exact: true }).first().click();
    await page.locator("aside ol button").first().waitFor();
    await look(page, "editor");
  });

  await t.test("editor of a new entry", async () => {
    await ada.go("/content/notes/new");
    await title.waitFor();
    await look(page, "editor-new");
  });

  await t.test("beside a translation", async () => {
    await ada.go(`/content/notes/${german}?beside=${id}`);
    await page.getByText(/^Beside it/).waitFor();
    await look(page, "editor-beside");
  });

  await t.test("publishing", async () => {
    await ada.go(`/content/notes/${id}`);
    await title.waitFor();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("dialog").getByText("What goes live").waitFor();
    await look(page, "editor-publish");
  });

  ada.mustNotHaveComplained();
});
