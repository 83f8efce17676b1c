// Whoever sets a site up models a small magazine without a program: collections, fields, a reference; then changes it. What each change costs is said before, what
// the server refuses is said in words, and what is typed is not lost by somebody else's change.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accept, getStarted, setUp } from "./door.mjs";
import { look } from "./look.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage();

test("a magazine is modelled, and changed", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page } = ada;
  await getStarted(page);

  const asked = async (method, path, body) => {
    const answer = await ada.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const model = async (slug) => (await asked("GET", `/schema/collections/${slug}`)).item;
  const fieldNamed = async (collection, slug) => (await model(collection)).fields.find((field) => field.slug === slug);
  const button = (name) => page.getByRole("button", { name, exact: true });
  const panel = () => page.getByRole("complementary", { name: /field/i });
  const fields = () => page.getByRole("list", { name: "Fields", exact: true });
  const openField = (label) => fields().getByRole("button", { name: new RegExp(`^${label}`) }).click();

  async function makeCollection(label, first) {
    await button("New collection").click();
    const dialog = page.getByRole("dialog", { name: "New collection" });
    await dialog.getByLabel("Name", { exact: true }).fill(label);
    await dialog.getByLabel("First field").fill(first);
    await dialog.getByRole("button", { name: "Create collection" }).click();
    await page.getByRole("heading", { level: 1, name: label }).waitFor();
  }

  /** Adds a field at the side; `more` says what else there is to say of it. */
  async function addField(type, label, more = async () => {}) {
    await page.getByRole("main").getByRole("button", { name: "Add field", exact: true }).first().click();
    await panel().getByRole("button", { name: new RegExp(`^${type}`) }).click();
    await panel().getByLabel("Label").first().fill(label);
    await more(panel());
    await panel().getByRole("button", { name: "Add field", exact: true }).click();
    await fields().getByText(label, { exact: true }).waitFor();
  }

  await t.test("without collections it is said what they are", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Content model" }).click();
    await page.getByText("No collections yet").waitFor();
    await look(page, "model-none");
  });

  await t.test("a collection needs no more than a name, and its slug is made of it", async () => {
    await button("New collection").click();
    await page.getByLabel("Name", { exact: true }).fill("Autorinnen & Autoren");
    assert.equal(await page.getByLabel("Slug").inputValue(), "autorinnen_autoren");
    await button("Description, icon, address and features").click();
    await look(page, "model-new-collection");
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard changes" }).click();
    await makeCollection("Authors", "Name");
    const { titleField, fields } = await model("authors");
    assert.deepEqual([titleField, fields.map(({ slug, type, required }) => [slug, type, required])], ["name", [["name", "string", true]]]);
  });

  await t.test("fields of many types are added, each with what its type knows", async () => {
    await page.getByRole("main").getByRole("button", { name: "Add field", exact: true }).click();
    await panel().getByText("What should it hold?").waitFor();
    await look(page, "model-types");
    await button("Close").click();
    await addField("Short text", "E-mail");
    await addField("Long text", "Biography", async (panel) => {
      await panel.getByLabel("Help").fill("Two sentences.");
      assert.equal(await panel.getByLabel("Unique").count(), 0, "long texts are not unique");
    });
    await page.getByRole("link", { name: "Content model" }).first().click();
    await makeCollection("Articles", "Title");
    await addField("Reference", "Author", async (panel) => {
      await panel.getByLabel("Refers to").selectOption({ label: "Authors" });
    });
    await addField("Choice", "Section", async (panel) => {
      await panel.getByRole("textbox", { name: /^Options/ }).fill("News\nCulture\n\nSports\n");
      await panel.getByLabel("Filter and sort lists by it").check();
    });
    await addField("Yes or no", "Featured");
    await addField("List of rows", "Pictures", async (panel) => {
      const row = panel.getByRole("group", { name: "Fields of each row" });
      await row.getByLabel("Label").fill("Size");
      await row.getByLabel("Type").selectOption({ label: "Choice" });
      await row.getByLabel("Options").fill("Small\nLarge");
    });
    await addField("Date and time", "Until", async (panel) => {
      await panel.getByRole("button", { name: "Place in the form" }).click();
      await panel.getByRole("combobox", { name: "Width" }).selectOption("half");
      await panel.getByLabel("Group").fill("Front page");
      await panel.getByLabel("Show this field").selectOption({ label: "Depending on “Featured”" });
      await panel.getByLabel("When it").selectOption({ label: "is" });
      await panel.getByLabel("Value", { exact: true }).selectOption({ label: "Yes" });
    });
    const author = await fieldNamed("articles", "author");
    assert.deepEqual(author.options, { collection: "authors" });
    const section = await fieldNamed("articles", "section");
    assert.deepEqual([section.validation, section.indexed], [{ options: ["News", "Culture", "Sports"] }, true]);
    assert.deepEqual((await fieldNamed("articles", "until")).options, { width: "half", group: "Front page", condition: { field: "featured", equals: true } });
  });

  await t.test("the form that editors get stands beside the fields, and follows its conditions", async () => {
    const preview = page.getByRole("region", { name: "Preview of the form" });
    await preview.getByText("Front page").waitFor();
    assert.equal(await preview.getByText("Until").count(), 0);
    await preview.getByRole("switch", { name: "Featured" }).click();
    await preview.getByRole("group", { name: "Until" }).first().waitFor();
    await look(page, "model-fields");
  });

  await t.test("a slug that cannot be had is said at the slug", async () => {
    await page.getByRole("main").getByRole("button", { name: "Add field", exact: true }).click();
    await panel().getByRole("button", { name: /^Short text/ }).click();
    await panel().getByLabel("Label").fill("Status");
    assert.equal(await panel().getByLabel("Slug").inputValue(), "status_2", "what is reserved is not suggested");
    await panel().getByLabel("Slug").fill("status");
    await panel().getByRole("button", { name: "Add field", exact: true }).click();
    await page.getByText("This name is reserved. Choose another one.").waitFor();
    await page.locator("[aria-invalid=true]:focus").waitFor();
    await look(page, "model-field");
  });

  await t.test("what was typed is not left without a question", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All content" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stay here" }).click();
    await openField("Section");
    await page.getByRole("alertdialog").getByRole("button", { name: "Discard changes" }).click();
    await panel().getByRole("heading", { name: "Field “Section”" }).waitFor();
    await panel().press("Escape");
    await panel().waitFor({ state: "detached" });
  });

  await t.test("a label is changed, and the choice within rows keeps its options", async () => {
    await openField("Pictures");
    await panel().getByLabel("Label").first().fill("Photos");
    await button("Save field").click();
    await fields().getByText("Photos").waitFor();
    const photos = await fieldNamed("articles", "pictures");
    assert.deepEqual([photos.label, photos.validation.subFields[0].options], ["Photos", ["Small", "Large"]]);
  });

  await t.test("a field is made unique where its values are, and it is said which are not", async () => {
    const made = async (name, email) => (await asked("POST", "/content/authors", { data: { name, e_mail: email } })).item.id;
    const [, second] = [await made("Grace", "g@example.com"), await made("Grace again", "g@example.com")];
    await ada.go("/model/authors");
    await openField("E-mail");
    await panel().getByRole("checkbox", { name: "Unique" }).check();
    await panel().getByText("There are 2 entries.").waitFor();
    await button("Save field").click();
    await panel().getByRole("alert").getByText("Nothing was changed").waitFor();
    await panel().getByRole("link", { name: `authors/${second}` }).waitFor();
    await look(page, "model-refused");
    await asked("PUT", `/content/authors/${second}`, { data: { e_mail: "other@example.com" } });
    await button("Save field").click();
    await fields().getByText("Unique", { exact: true }).waitFor();
    assert.equal((await fieldNamed("authors", "e_mail")).unique, true);
  });

  const dialog = () => page.getByRole("dialog", { name: /^Change the type/ });
  const retype = async (label) => {
    await openField(label);
    await panel().getByRole("button", { name: "Change type…", exact: true }).click();
  };
  const chooseType = (type) => dialog().getByRole("button", { name: new RegExp(`^${type}`) }).click();
  const changeType = () => dialog().getByRole("button", { name: "Change type", exact: true }).click();
  const valuesOf = async (collection, slug) => (await asked("GET", `/content/${collection}?order=asc`)).items.map(({ data }) => data[slug]);
  const founded = [];

  await t.test("before a type changes it is seen what becomes of the values, and nothing is lost", async () => {
    await addField("Short text", "Founded", async (panel) => {
      await panel.getByRole("button", { name: "Limits" }).click();
      await panel.getByLabel("Most characters").fill("40");
    });
    for (const [name, value] of [["Analytical Society", "1812"], ["Royal Institution", " 1799 "], ["Lunar Society", "about 1765"]]) {
      founded.push((await asked("POST", "/content/authors", { data: { name, founded: value, e_mail: `${name}@example.com` } })).item.id);
    }
    await retype("Founded");
    await look(page, "model-retype-types");
    await chooseType("Whole number");
    await dialog().getByText("2 entries would show another value").waitFor();
    await dialog().getByText("1 entry has a value that says nothing in the new type").waitFor();
    await dialog().getByText("2 entries have no value.").waitFor();
    await dialog().getByText(/are dropped: Most characters.*Search finds it/).waitFor();
    assert.match(await dialog().getByRole("link", { name: "Lunar Society" }).getAttribute("href"), new RegExp(`/content/authors/${founded[2]}$`));
    await look(page, "model-retype");
    await changeType();
    await ada.news("The type of “Founded” is Whole number now.");
    assert.deepEqual(await valuesOf("authors", "founded"), [undefined, undefined, 1812, 1799, undefined]);
    await panel().getByText("Was Short text until").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await ada.news("The type of “Founded” is Short text again.");
    const { type, validation } = await fieldNamed("authors", "founded");
    assert.deepEqual([type, validation], ["string", { maxLength: 40 }]);
    assert.deepEqual(await valuesOf("authors", "founded"), [undefined, undefined, "1812", " 1799 ", "about 1765"]);
  });

  await t.test("a former type comes back from where the field is", async () => {
    await panel().getByText("Was Whole number until").waitFor();
    await look(page, "model-former-types");
    await panel().getByRole("button", { name: "Change back…" }).click();
    await dialog().getByText("2 entries would show another value").waitFor();
    await changeType();
    await dialog().waitFor({ state: "detached" });
    assert.equal((await fieldNamed("authors", "founded")).type, "integer");
  });

  await t.test("a change of type does not write over somebody else's, and goes on after it", async () => {
    await panel().getByRole("button", { name: "Change type…", exact: true }).click();
    await chooseType("Number");
    await dialog().getByText(/2 entries (keep their values|would show another value)/).waitFor();
    await asked("PUT", "/schema/collections/authors/fields/founded", { indexed: true });
    await changeType();
    await dialog().getByRole("alert").getByText("Ada Lovelace changed this field in the meantime.").waitFor();
    await dialog().getByRole("button", { name: "Look again" }).click();
    await dialog().getByRole("alert").waitFor({ state: "detached" });
    await dialog().getByText(/2 entries (keep their values|would show another value)/).waitFor();
    await changeType();
    await dialog().waitFor({ state: "detached" });
    const { type, indexed } = await fieldNamed("authors", "founded");
    assert.deepEqual([type, indexed], ["number", true]);
  });

  await t.test("an undo leaves what somebody else did meanwhile", async () => {
    await asked("PUT", "/schema/collections/authors/fields/founded", { validation: { max: 2100 } });
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await ada.news("Ada Lovelace changed the field “Founded” in the meantime, so its type stays.");
    const { type, validation } = await fieldNamed("authors", "founded");
    assert.deepEqual([type, validation], ["number", { max: 2100 }]);
    await asked("DELETE", "/schema/collections/authors/fields/founded");
    for (const id of founded) await asked("DELETE", `/content/authors/${id}`);
    for (const id of founded) await asked("DELETE", `/content/authors/${id}/permanent`);
  });

  await t.test("what names the entries stays a text, and it is said where that is chosen", async () => {
    await ada.go("/model/authors");
    await retype("Name");
    await chooseType("Whole number");
    await dialog().getByRole("alert").getByText("It is the title of its entries").waitFor();
    assert.ok(await dialog().getByRole("button", { name: "Change type", exact: true }).isDisabled());
    await look(page, "model-retype-refused");
    await dialog().getByRole("button", { name: "Other type" }).click();
    await chooseType("Long text");
    await dialog().getByText("2 entries keep their values as they are.").waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await panel().waitFor();
  });

  await t.test("one reference becomes several, and an empty collection has nothing to convert", async () => {
    const [author] = (await asked("GET", "/content/authors")).items;
    await ada.go("/model/articles");
    await retype("Section");
    await chooseType("Multiple choice");
    await dialog().getByText("There are no entries, so there is nothing to convert.").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    const { id } = (await asked("POST", "/content/articles", { data: { title: "On the Engine", author: author.id } })).item;
    await retype("Author");
    await chooseType("Reference");
    assert.equal(await dialog().getByLabel("How many").inputValue(), "many");
    await dialog().getByRole("link", { name: "On the Engine" }).waitFor();
    await changeType();
    await ada.news("The type of “Author” is Reference to several entries now.");
    assert.deepEqual((await fieldNamed("articles", "author")).options, { collection: "authors", allowMultiple: true });
    assert.deepEqual(await valuesOf("articles", "author"), [[author.id]]);
    await asked("DELETE", `/content/articles/${id}`);
    await ada.go("/model/authors");
  });

  await t.test("what somebody else changed in another field is in nobody's way; in the same one it is said who it was", async () => {
    await openField("Biography");
    await panel().getByLabel("Label").fill("About");
    await asked("PUT", "/schema/collections/authors/fields/name", { label: "Full name" });
    await button("Save field").click();
    await fields().getByText("About").waitFor();
    await fields().getByText("Full name").waitFor();
    await openField("About");
    await panel().getByLabel("Label").fill("Life");
    await asked("PUT", "/schema/collections/authors/fields/biography", { label: "Curriculum", required: true });
    await button("Save field").click();
    await panel().getByRole("alert").getByText("Ada Lovelace changed this in the meantime.").waitFor();
    assert.equal(await panel().getByLabel("Label").inputValue(), "Life");
    assert.ok(await panel().getByRole("checkbox", { name: "Required" }).isChecked(), "what nobody touched follows the server");
    await button("Save field").click();
    await panel().waitFor({ state: "detached" });
    const { label, required } = await fieldNamed("authors", "biography");
    assert.deepEqual([label, required], ["Life", true]);
  });

  await t.test("fields and collections are put into another order by keys", async () => {
    const moved = (path) => page.waitForResponse((response) => response.url().endsWith(path) && response.request().method() === "POST");
    await button("Move Life").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Home");
    const fieldsMoved = moved("/fields/reorder");
    await page.keyboard.press("Space");
    assert.ok((await fieldsMoved).ok());
    assert.deepEqual((await model("authors")).fields.map(({ slug }) => slug), ["biography", "name", "e_mail"]);
    await page.getByRole("link", { name: "Content model" }).first().click();
    await button("Move Authors").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    const collectionsMoved = moved("/collections/reorder");
    await page.keyboard.press("Enter");
    assert.ok((await collectionsMoved).ok());
    assert.deepEqual((await asked("GET", "/schema/collections")).items.map(({ slug }) => slug), ["authors", "articles"]);
    await look(page, "model-collections");
  });

  await t.test("how far an index is, is seen where it was asked for", async () => {
    // So few entries are indexed before anybody looks: the answer is made in the browser's network.
    const path = /\/_cms\/api\/models\/articles$/;
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const section = answer.data.item.fields.find(({ slug }) => slug === "section");
      section.index = { state: "building", done: 300, total: 1000, attempts: 0, lastError: null };
      await route.fulfill({ response, json: answer });
    });
    await ada.go("/model/articles");
    const bar = page.getByRole("progressbar", { name: "Index of Section" });
    await bar.waitFor();
    assert.deepEqual([await bar.getAttribute("value"), await bar.getAttribute("max")], ["300", "1000"]);
    await fields().getByText("Index under way").waitFor();
    await page.unroute(path);
    await bar.waitFor({ state: "detached" });
  });

  await t.test("a collection gets its title, columns, address and features", async () => {
    await ada.go("/model/articles?tab=settings");
    await page.getByLabel("Name of one entry").fill("Article");
    await page.getByLabel("Address pattern").fill("articles");
    await page.getByLabel("Search", { exact: true }).check();
    await button("Save settings").click();
    await page.locator("[aria-invalid=true]:focus").waitFor();
    await page.getByLabel("Address pattern").fill("/articles/{slug}");
    await button("Save settings").click();
    await ada.news("Saved.");
    const { labelSingular, urlPattern, supports } = await model("articles");
    assert.deepEqual([labelSingular, urlPattern, supports.includes("search")], ["Article", "/articles/{slug}", true]);
    assert.ok(await button("Save settings").isDisabled(), "nothing is left to save");
    await look(page, "model-settings");
  });

  await t.test("a field goes when its name is typed, and it is said what depends on it", async () => {
    await ada.go("/model/articles");
    await button("Actions for Featured").click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("These fields are shown depending on it: Until.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Delete field" }).isDisabled());
    await look(page, "model-delete-field");
    await dialog.getByRole("textbox").fill("featured");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await fieldNamed("articles", "featured"), undefined);
  });

  await t.test("a collection goes when its name is typed, with what refers to it named", async () => {
    await ada.go("/model/authors");
    await button("More").click();
    await page.getByRole("menuitem", { name: "Delete collection…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("2 entries are deleted for good, with their history.").waitFor();
    await dialog.getByText("The field “Author” of Articles refers to it").waitFor();
    await look(page, "model-delete-collection");
    await dialog.getByRole("textbox").fill("authors");
    await dialog.getByRole("button", { name: "Delete collection" }).click();
    await page.getByRole("heading", { level: 1, name: "Content model" }).waitFor();
    await page.getByRole("list", { name: "Collections" }).getByText("Authors").waitFor({ state: "detached" });
  });

  await t.test("an author does not see any of it", async () => {
    const { inviteUrl } = await asked("POST", "/auth/invite", { email: "grace@example.com", role: 30 });
    const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
    await getStarted(grace.page);
    assert.equal(await grace.page.getByRole("link", { name: "Content model" }).count(), 0);
    for (const path of ["/model", "/model/articles"]) {
      await grace.go(path);
      await grace.page.getByText("You cannot see this").waitFor();
    }
    grace.mustNotHaveComplained();
    await grace.close();
  });

  ada.mustNotHaveComplained();
});
