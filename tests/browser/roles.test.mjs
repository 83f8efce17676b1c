// What contributors, authors and editors are offered is what the server lets them do, no more and no less.

import assert from "node:assert/strict";
import { test } from "node:test";

import { accept, getStarted, setUp } from "./door.mjs";
import { setStage } from "./stage.mjs";

const stage = setStage(() => ({ config: '[site]\nlocales = ["en", "de"]\n', close: () => undefined }));

const ROLES = { Contributor: 20, Author: 30, Editor: 40 };

/** What can be done with an entry as it stands, besides reading it. */
const DEEDS = ["edit", "duplicate", "preview", "publish", "schedule", "trash", "translate", "restore", "give"];
const DEEDS_OF = { draft: DEEDS, changed: [...DEEDS, "unpublish", "discard", "date"], scheduled: [...DEEDS, "unschedule"] };

/** What of it a row offers. */
const IN_A_ROW = { Duplicate: "duplicate", Publish: "publish", "Publish changes": "publish", "Schedule…": "schedule", Unpublish: "unpublish", "Move to trash…": "trash" };
const IN_THE_EDITOR = { ...IN_A_ROW, Preview: "preview", "Discard changes": "discard", "Move to trash": "trash", "Schedule for later": "schedule", Reschedule: "schedule", Unschedule: "unschedule", Translate: "translate" };

/** Screens that need a permission, and what they ask the server for. */
const SCREENS = { Users: "/admin/users", Invitations: "/auth/invites", "Sign-up domains": "/admin/allowed-domains", Applications: "/admin/oauth-clients", Policies: "/admin/policies", "Audit log": "/admin/audit", Jobs: "/admin/jobs", "All content": "/content", Board: "/content", Calendar: "/calendar?from=2040-01-01T00:00:00Z&to=2040-02-01T00:00:00Z", "Content model": "/schema/orphans", "API explorer": "/schema/collections", Media: "/media" };

test("each role is offered what it may do", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  const asked = async (somebody, method, path, body) => {
    const answer = await somebody.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const supports = ["drafts", "revisions", "scheduling", "preview"];
  const fields = [{ slug: "title", type: "string", label: "Title", required: true }, { slug: "summary", type: "text", label: "Summary" }];
  await asked(ada, "POST", "/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports, urlPattern: "/notes/{slug}", fields });

  const people = Object.fromEntries(
    await Promise.all(
      Object.entries(ROLES).map(async ([role, number]) => {
        const { inviteUrl } = await asked(ada, "POST", "/auth/invite", { email: `${role}@example.com`, role: number });
        const somebody = await accept(browser, site, inviteUrl, role);
        await getStarted(somebody.page);
        // Sections stay as they were left.
        await somebody.page.evaluate(() => localStorage.setItem("cms-editor-sections", JSON.stringify({ ownership: true, translations: true, history: true })));
        return [role, somebody];
      }),
    ),
  );

  /** Entries of everybody, each with a revision that is not the newest. */
  const entries = {};
  for (const [role, somebody] of Object.entries(people)) {
    for (const kind of [...Object.keys(DEEDS_OF), "trashed"]) {
      const path = "/content/notes";
      const title = `${kind} by ${role}`;
      const { item, _rev } = await asked(somebody, "POST", path, { data: { title } });
      await asked(ada, "PUT", `${path}/${item.id}`, { data: { summary: "looked over" } });
      if (kind === "changed") {
        await asked(ada, "POST", `${path}/${item.id}/publish`, {});
        await asked(ada, "PUT", `${path}/${item.id}`, { data: { summary: "looked over again" } });
      }
      if (kind === "scheduled") await asked(ada, "POST", `${path}/${item.id}/schedule`, { scheduledAt: "2040-01-01T00:00:00Z" });
      if (kind === "trashed") await asked(ada, "DELETE", `${path}/${item.id}`);
      const revision = kind === "trashed" ? undefined : (await asked(ada, "GET", `${path}/${item.id}/revisions`)).items.at(-1).id;
      entries[`${kind} by ${role}`] = { title, kind, id: item.id, stale: _rev, revision };
    }
  }
  const shown = Object.values(entries).filter(({ kind }) => kind !== "trashed");
  const trashed = Object.values(entries).filter(({ kind }) => kind === "trashed");

  /**
   * What the server lets somebody do. It looks whose an entry is before it looks at the revision, so what is decided upon an old one is refused either
   * way, and changes nothing.
   */
  async function allowed(somebody, { id, stale, revision }, deed) {
    const path = `/content/notes/${id}`;
    const body = { _rev: stale };
    const request = {
      edit: ["PUT", path, { ...body, data: { summary: "mine" } }],
      duplicate: ["POST", `${path}/duplicate`],
      preview: ["POST", `${path}/preview-url`, {}],
      publish: ["POST", `${path}/publish`, body],
      unpublish: ["POST", `${path}/unpublish`, body],
      schedule: ["POST", `${path}/schedule`, { ...body, scheduledAt: "2041-01-01T00:00:00Z" }],
      unschedule: ["DELETE", `${path}/schedule?_rev=${stale}`],
      discard: ["POST", `${path}/discard-draft`, body],
      trash: ["DELETE", `${path}?_rev=${stale}`],
      translate: ["POST", "/content/notes", { data: { title: "Übersetzt" }, locale: "de", translationOf: id }],
      restore: ["POST", `/revisions/${revision}/restore`, body],
      date: ["PUT", path, { ...body, publishedAt: "2026-01-01T00:00:00Z" }],
      // To nobody who exists.
      give: ["PUT", path, { authorId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }],
      takeOut: ["POST", `${path}/restore`, body],
      remove: ["DELETE", `${path}/permanent?_rev=${stale}`],
    }[deed];
    const answer = await somebody.ask(...request);
    assert.ok(answer.status() !== 404 && answer.status() < 500, `${deed}: ${await answer.text()}`);
    return answer.status() !== 403;
  }

  /** Lets the roles do the same, each in a browser of its own, and tells how they fared. */
  const each = async (work) => Object.fromEntries(await Promise.all(Object.entries(people).map(async ([role, somebody]) => [role, await work(somebody, role)])));

  /** What the server lets each role do with each entry, of some deeds. */
  const ruled = (list, deedsOf) =>
    each(async (somebody) => {
      const rules = {};
      for (const entry of list) {
        const may = [];
        for (const deed of deedsOf(entry)) if (await allowed(somebody, entry, deed)) may.push(deed);
        rules[entry.title] = may.sort();
      }
      return rules;
    });

  const words = (locator) => locator.evaluateAll((found) => found.filter((element) => !element.matches(":disabled, [data-disabled]")).map((element) => element.innerText.split("\n")[0].trim()));
  const named = (texts, names) => [...new Set(texts.flatMap((text) => names[text] ?? []))];

  const inRows = await each(async (somebody) => {
    const { page } = somebody;
    await somebody.go("/content/notes");
    await page.getByRole("link", { name: shown[0].title, exact: true }).waitFor();
    const offered = {};
    for (const { title } of shown) {
      await page.getByRole("button", { name: `Actions for ${title}`, exact: true }).click();
      offered[title] = named(await words(page.getByRole("menuitem")), IN_A_ROW).sort();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
    return offered;
  });

  const selectable = await each(async ({ page }) => {
    const all = page.getByRole("checkbox", { name: "Select the rows that are loaded" });
    if ((await all.count()) === 0) return [];
    await all.click();
    const titles = await page.getByRole("checkbox", { name: /^Select .* by /, checked: true }).evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-label").replace("Select ", "")));
    const deeds = (await page.getByRole("region", { name: "Selection" }).getByRole("button").allInnerTexts()).filter(Boolean);
    await page.keyboard.press("Escape");
    return [titles.sort(), deeds];
  });

  const inEditor = await each(async (somebody, role) => {
    const { page } = somebody;
    const other = role === "Author" ? "Contributor" : "Author";
    const offered = {};
    for (const { id, title, kind } of shown.filter(({ title }) => title.endsWith(role) || title === `draft by ${other}` || title === `changed by ${other}`)) {
      await somebody.go(`/content/notes/${id}`);
      const panel = page.getByRole("complementary", { name: "About this entry" });
      const history = panel.locator("ol button");
      await history.first().waitFor();
      const language = panel.getByRole("listitem").filter({ hasText: "German" });
      await panel.getByText("English").waitFor();
      const found = named(await words(page.getByRole("main").getByRole("button").or(language.getByRole("link"))), IN_THE_EDITOR);
      if (!(await page.getByLabel("Title").first().evaluate(({ readOnly }) => readOnly))) found.push("edit");
      if ((await panel.getByRole("button", { name: /^Author (?!and dates)/ }).count()) > 0) found.push("give");
      if (kind === "changed" && (await panel.getByRole("group", { name: "Publication date" }).count()) > 0) found.push("date");
      await page.getByRole("button", { name: "More", exact: true }).click();
      found.push(...named(await words(page.getByRole("menuitem")), IN_THE_EDITOR));
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await history.last().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "What changed then" }).waitFor();
      if ((await dialog.getByRole("button", { name: "Restore this version" }).count()) > 0) found.push("restore");
      await page.keyboard.press("Escape");
      offered[title] = [...new Set(found)].sort();
    }
    return offered;
  });

  const inTrash = await each(async (somebody) => {
    const { page } = somebody;
    await somebody.go("/content/notes/trash");
    await page.getByText(trashed[0].title).first().waitFor();
    const offered = {};
    for (const { title } of trashed) {
      offered[title] = [
        ...((await page.getByRole("button", { name: `Delete ${title} permanently` }).count()) > 0 ? ["remove"] : []),
        ...((await page.getByRole("button", { name: `Restore ${title}` }).count()) > 0 ? ["takeOut"] : []),
      ];
    }
    return offered;
  });

  const screens = await each(({ page }) => page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts());
  const may = await ruled(shown, ({ kind }) => DEEDS_OF[kind]);

  await t.test("in the menu of a row", () => {
    const known = new Set(Object.values(IN_A_ROW));
    for (const role of Object.keys(ROLES)) for (const { title } of shown) assert.deepEqual(inRows[role][title], may[role][title].filter((deed) => known.has(deed)), `${role}, ${title}`);
  });

  await t.test("in the editor and beside it", () => {
    for (const [role, offered] of Object.entries(inEditor)) for (const [title, deeds] of Object.entries(offered)) assert.deepEqual(deeds, may[role][title], `${role}, ${title}`);
  });

  await t.test("in the trash", async () => {
    assert.deepEqual(inTrash, await ruled(trashed, () => ["remove", "takeOut"]));
  });

  await t.test("for all that is selected, which is only what can be changed", () => {
    const own = shown.map(({ title }) => title).filter((title) => title.endsWith("Author"));
    assert.deepEqual(selectable.Contributor, []);
    assert.deepEqual(selectable.Author, [own.sort(), ["Publish", "Unpublish", "Schedule…", "Move to trash…"]]);
    assert.deepEqual(selectable.Editor, [shown.map(({ title }) => title).sort(), ["Publish", "Unpublish", "Schedule…", "Change author…", "Move to trash…"]]);
  });

  await t.test("in the navigation", async () => {
    for (const [role, somebody] of Object.entries(people)) {
      for (const [name, path] of Object.entries(SCREENS)) assert.equal(screens[role].includes(name), (await somebody.ask("GET", path)).ok(), `${role}, ${name}`);
    }
  });

  await t.test("an entry that changes hands is offered to whoever has it then", async () => {
    const { Author, Editor } = people;
    const { id } = entries["draft by Contributor"];
    await Editor.go(`/content/notes/${id}`);
    await Editor.page.getByRole("button", { name: /^Author (?!and dates)/ }).click();
    await Editor.page.getByRole("option", { name: /^Author/ }).click();
    await Editor.news("Author changed to Author");
    // Whoever has it open holds the lease on it, and others only read along.
    await Editor.go("/content/notes");
    await Author.go(`/content/notes/${id}`);
    await Author.page.getByRole("button", { name: "Publish", exact: true }).waitFor();
    await people.Contributor.go(`/content/notes/${id}`);
    await people.Contributor.page.getByText("It belongs to somebody else.").waitFor();
  });

  for (const somebody of [ada, ...Object.values(people)]) somebody.mustNotHaveComplained();
});
