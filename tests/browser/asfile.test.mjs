// The content model seen from elsewhere: as a map of what refers to what, as a file that the model is made of, and as code that uses a collection.

import assert from "node:assert/strict";
import { test } from "node:test";

import { getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

const field = (slug, type, more = {}) => ({ slug, label: slug, type, ...more });
/** Their names are those that objects have members of by themselves. */
const MODEL = [
  { slug: "authors", label: "Authors", fields: [field("name", "string", { required: true })] },
  {
    slug: "constructor",
    label: "Articles",
    fields: [field("title", "string", { required: true }), field("price", "string"), field("by", "reference", { options: { collection: "authors" } })],
  },
];

test("a model is drawn, brought in from a file, and used in code", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);
  const asked = async (method, path, body) => {
    const answer = await ada.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const main = () => page.getByRole("main");
  const button = (name) => main().getByRole("button", { name, exact: true });
  const open = (path) => page.goto(`${site.admin}${path}`);

  /** Chooses a file, as the dialog of the browser does. */
  const choose = (text) => main().locator("input[type=file]").setInputFiles({ name: "model.json", mimeType: "application/json", buffer: Buffer.from(text) });

  await t.test("a file is planned before anything changes, and then the model is what it says", async () => {
    await open("/model/from-file");
    await choose('{ "collections": [\n  { "slug": ');
    await main().getByText("This file cannot be used").waitFor();
    await choose(JSON.stringify({ collections: MODEL }));
    await main().getByRole("heading", { name: "What would happen" }).waitFor();
    await main().getByText("It is created, with 3 fields.").waitFor();
    assert.deepEqual((await asked("GET", "/schema/collections")).items, []);
    await look(page, "model-from-file");
    await button("Change the model").click();
    await main().getByRole("heading", { name: "The model is changed" }).waitFor();
    assert.deepEqual((await asked("GET", "/schema/collections")).items.map(({ slug }) => slug).sort(), ["authors", "constructor"]);
  });

  await t.test("values are converted where somebody says so, and fields go when that is confirmed", async () => {
    const by = (await asked("POST", "/content/authors", { data: { name: "Ada" } })).item.id;
    for (const price of ["12", "on request"]) await asked("POST", "/content/constructor", { data: { title: price, price, by } });
    const [authors, articles] = MODEL;
    const wanted = [authors, { ...articles, fields: [articles.fields[0], field("price", "integer")] }];
    await open("/model/from-file");
    await choose(JSON.stringify({ collections: wanted }));
    await main().getByText("2 entries may lose their values.").waitFor();
    assert.ok(await button("Change the model").isDisabled(), "what is lost is agreed to first");
    await main().getByLabel("Convert values that do not fit").check();
    await main().getByRole("list").filter({ hasText: "constructor.price" }).waitFor();
    await main().getByRole("checkbox", { name: /by/ }).last().check();
    await button("Change the model").click();
    await main().getByRole("heading", { name: "The model is changed" }).waitFor();
    const { items } = await asked("GET", "/content/constructor?order=asc");
    assert.deepEqual(items.map(({ data }) => data), [{ title: "12", price: 12 }, { title: "on request" }]);
    await asked("POST", "/schema/collections/constructor/fields", field("by", "reference", { options: { collection: "authors" } }));
  });

  await t.test("what refers to what is a map, and a table", async () => {
    await open("/model/as-map");
    const map = page.getByRole("application", { name: "Map of the content model" }).or(page.getByLabel("Map of the content model"));
    await map.first().waitFor();
    await main().locator("svg text", { hasText: "Articles" }).first().waitFor();
    await look(page, "model-map");
    await button("Show as a table").click();
    await main().getByRole("table", { name: "Relations" }).or(main().getByRole("grid", { name: "Relations" })).first().waitFor();
    await look(page, "model-map-table");
  });

  await t.test("a collection is used in code, and what it shows is true", async () => {
    await open("/model/constructor");
    await page.getByRole("tab", { name: "In code" }).click();
    await main().getByText("/_cms/api/content/constructor").first().waitFor();
    await look(page, "model-code");
    await page.getByRole("tab", { name: "TypeScript", exact: true }).first().click();
    await main().getByText("fetch(").first().waitFor();
  });
});
