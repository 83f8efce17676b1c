// Whoever fills the library drops files on it, loses the network in the middle, and has each file there once; says what pictures show with the keyboard alone;
// sorts, tags, replaces and deletes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, crc32 } from "node:zlib";

import { quiet } from "./browser.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { look, violations } from "./look.mjs";
import { setStage } from "./stage.mjs";

/** As many as are on their way when the network goes, and some that wait. */
const FILES = 7;

const stage = setStage(() => Promise.resolve({ config: '[site]\nlocales = ["en", "de"]\n', close() {} }));

/** A picture of one colour. */
function png(red, green, blue, [width, height] = [240, 160]) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))]);
  const pixels = deflateSync(Buffer.concat(Array(height).fill(line)));
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const picture = (n) => ({ name: `picture-${n}.png`, type: "image/png", bytes: png(30 * n, 200 - 20 * n, 90) });

/** Drops files somewhere, as a hand does that holds them. */
async function drop(page, files) {
  const given = files.map(({ name, type, bytes }) => ({ name, type, bytes: bytes.toString("base64") }));
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of files) transfer.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type }));
    return transfer;
  }, given);
  for (const event of ["dragenter", "dragover"]) await page.dispatchEvent("main", event, { dataTransfer: transfer });
  await page.getByText(/^Drop files here/).waitFor();
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

test("the library is filled, described and sorted", async (t) => {
  const { browser, site } = stage;
  const ada = await setUp(browser, site);
  const { page, context } = ada;
  await getStarted(page);
  const asked = async (method, path, body) => {
    const answer = await ada.ask(method, path, body);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const files = async () => (await asked("GET", "/media?limit=100")).items;
  const named = async (name) => (await files()).find(({ filename }) => filename === name);
  const tile = (name) => page.getByRole("gridcell").filter({ has: page.getByRole("link", { name, exact: true }) });
  const uploads = page.getByRole("region", { name: "Uploads" });
  const panel = (name) => page.getByRole("complementary", { name });
  const undo = () => page.getByRole("button", { name: "Undo" }).last().click();
  const folders = page.getByRole("navigation", { name: "Folders" });

  await t.test("an empty library says how it is filled", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Media", exact: true }).click();
    await page.getByText("No files yet").waitFor();
    await look(page, "library-empty");
  });

  await t.test("files that are dropped wait while there is no network, go on elsewhere, and are there once", async () => {
    // Without a network, only a screen that was there before can be gone to.
    const go = (name) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
    await go("Board");
    await page.getByRole("heading", { name: "Board", level: 1 }).waitFor();
    await go("Media");
    await page.getByText("No files yet").waitFor();
    let isAway = false;
    // The first one got through before, so that its answer alone is lost.
    await context.route("**/_cms/api/media/**", (route) => (isAway ? route.abort("internetdisconnected") : route.fallback()));
    await context.route("**/_cms/api/media/*/confirm", async (route) => {
      if (isAway) return route.abort("internetdisconnected");
      isAway = true;
      await route.fetch();
      await context.setOffline(true);
      return route.abort("internetdisconnected");
    }, { times: 1 });
    await drop(page, Array.from({ length: FILES }, (_, n) => picture(n)));
    await uploads.getByText("Waiting for the network").first().waitFor();
    await go("Board");
    await uploads.getByText(`of ${FILES} uploaded`).waitFor();
    isAway = false;
    await context.setOffline(false);
    await uploads.getByText(`${FILES} files uploaded`).waitFor();
    assert.equal(await uploads.getByText("Was there already").count(), 0);
    const names = (await files()).map(({ filename }) => filename).sort();
    assert.deepEqual(names, Array.from({ length: FILES }, (_, n) => `picture-${n}.png`));
    await page.getByRole("button", { name: "Close the uploads" }).click();
    await uploads.waitFor({ state: "detached" });
  });

  await t.test("bytes that are there are no second file, and what is refused is not offered again", async () => {
    await ada.go("/media");
    await tile("picture-6.png").waitFor();
    await drop(page, [{ ...picture(3), name: "again.png" }, { name: "run.exe", type: "application/x-msdownload", bytes: Buffer.from("MZ program") }]);
    await uploads.getByText("Was there already").waitFor();
    await uploads.getByText("Files of this type are not taken here.").waitFor();
    assert.equal(await uploads.getByRole("button", { name: "Try run.exe again" }).count(), 0);
    assert.equal((await files()).length, FILES);
    assert.deepEqual(await violations(page), []);
    await uploads.getByRole("button", { name: "Cancel run.exe" }).click();
    await page.getByRole("button", { name: "Close the uploads" }).click();
    await look(page, "library-grid");
  });

  await t.test("what a picture shows and what must stay in sight is said by keys alone", async () => {
    await tile("picture-1.png").getByText("No alt text").waitFor();
    const link = page.getByRole("link", { name: "picture-1.png", exact: true });
    await page.locator("body").press("j");
    while (!(await link.evaluate((element) => element === document.activeElement))) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const focal = panel("picture-1.png").getByRole("slider", { name: "Focal point" });
    await focal.focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("ArrowUp");
    await panel("picture-1.png").getByText("40% from the left, 49% from the top").waitFor();
    assert.equal(await focal.getAttribute("aria-valuetext"), "40% from the left, 49% from the top");
    await page.getByLabel("Alternative text (en)").focus();
    await page.keyboard.type("A green field");
    await page.getByLabel("Alternative text (de)").focus();
    await page.keyboard.type("Ein grünes Feld");
    await page.keyboard.press("Control+s");
    await ada.news("Saved.");
    const item = await named("picture-1.png");
    assert.equal(item.alt, "A green field");
    assert.deepEqual(item.focalPoint, { x: 0.4, y: 0.49 });
    await look(page, "library-file");
    await page.reload();
    assert.equal(await page.getByLabel("Alternative text (en)").inputValue(), "A green field");
    assert.equal(await page.getByLabel("Alternative text (de)").inputValue(), "Ein grünes Feld");
  });

  await t.test("what others changed meanwhile is taken in, and nothing typed is lost", async () => {
    const { id } = await named("picture-1.png");
    await asked("PUT", `/media/${id}`, { caption: "Theirs" });
    await page.getByLabel("Alternative text (en)").fill("Mine");
    await page.getByRole("button", { name: "Save changes" }).click();
    await ada.news("Saved.");
    const { alt, caption } = await named("picture-1.png");
    assert.deepEqual({ alt, caption }, { alt: "Mine", caption: "Theirs" });
    await asked("PUT", `/media/${id}`, { alt: "Theirs" });
    await page.getByLabel("Alternative text (en)").fill("Mine again");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Somebody else changed the same meanwhile", { exact: false }).waitFor();
    assert.equal(await page.getByLabel("Alternative text (en)").inputValue(), "Mine again");
    await page.getByRole("link", { name: "picture-2.png", exact: true }).click();
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await ada.news("Saved.");
    assert.equal((await named("picture-1.png")).alt, "Mine again");
    await panel("picture-1.png").press("Escape");
    await panel("picture-1.png").waitFor({ state: "detached" });
  });

  await t.test("a folder is made, filled by bulk and by dragging, and both are undone", async () => {
    await folders.getByRole("button", { name: "New folder…" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Harbour");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByText("This folder is empty").waitFor();
    await folders.getByRole("button", { name: "All files" }).click();
    const box = (name) => page.getByRole("checkbox", { name: `Select ${name}` });
    // Several are sent at once, so that any may have come first.
    const chosen = (await files()).slice(0, 3).map(({ filename }) => filename);
    await tile(chosen[0]).hover();
    await box(chosen[0]).click();
    await box(chosen[2]).click({ modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Move…" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Folder" }).selectOption({ label: "Harbour" });
    await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
    await ada.news("3 files were moved.");
    const inFolder = async () => (await files()).filter(({ folderId }) => folderId !== null).map(({ filename }) => filename).sort();
    assert.deepEqual(await inFolder(), chosen.sort());
    await undo();
    await ada.news("Undone.");
    assert.deepEqual(await inFolder(), []);
    await quiet(page);
    await tile("picture-0.png").hover();
    await page.mouse.down();
    const { x, y } = await tile("picture-0.png").boundingBox();
    await page.mouse.move(x + 30, y + 30, { steps: 4 });
    await folders.getByRole("button", { name: "Harbour", exact: true }).hover();
    await folders.getByRole("button", { name: "Harbour", exact: true }).hover({ position: { x: 20, y: 10 } });
    await page.mouse.up();
    await ada.news("1 file was moved.");
    assert.deepEqual(await inFolder(), ["picture-0.png"]);
  });

  await t.test("many are tagged at once, and the tags go again", async () => {
    await page.getByRole("button", { name: "Show as a list" }).click();
    await page.getByRole("table", { name: "Files" }).waitFor();
    await look(page, "library-list");
    await page.getByRole("checkbox", { name: "Select the rows that are loaded" }).click();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Tag…" }).click();
    await page.getByRole("dialog").getByLabel("Add tags").fill("Sea, old town");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change tags" }).click();
    await ada.news(`${FILES} files were tagged.`);
    await ada.go(`/media?filter=tag.is.SEA`);
    await page.getByText(`${FILES} files`).waitFor();
    const tagsOf = async () => new Set((await files()).flatMap(({ tags }) => tags ?? []));
    assert.deepEqual([...(await tagsOf())], ["Sea", "old town"]);
    await ada.go("/media");
    await page.getByRole("checkbox", { name: "Select the rows that are loaded" }).click();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Tag…" }).click();
    await page.getByRole("dialog").getByLabel("Add tags").fill("winter");
    await page.getByRole("dialog").getByLabel("Add tags").press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Change tags" }).click();
    await ada.news(`${FILES} files were tagged.`);
    await undo();
    await ada.news("Undone.");
    assert.deepEqual([...(await tagsOf())], ["Sea", "old town"]);
  });

  await t.test("a file gets other bytes and keeps what is said of it; then it is deleted, after a question", async () => {
    const { id, storageKey } = await named("picture-1.png");
    await ada.go(`/media/${id}`);
    await page.getByRole("button", { name: "Replace file…" }).click();
    await page.getByRole("dialog", { name: "Replace the file" }).locator("input[type=file]").setInputFiles({ name: "other.png", mimeType: "image/png", buffer: png(1, 2, 3, [80, 120]) });
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await ada.news("The file was replaced.");
    await panel(/picture-1/).getByText("80 × 120").waitFor();
    const replaced = await asked("GET", `/media/${id}`);
    assert.notEqual(replaced.item.storageKey, storageKey);
    assert.equal(replaced.item.alt, "Mine again");
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByText("Whatever shows it shows nothing from then on.").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await ada.news("The file was deleted.");
    assert.equal((await ada.ask("GET", `/media/${id}`)).status(), 404);
    assert.equal((await files()).length, FILES - 1);
  });

  await t.test("who may only look is offered nothing else", async () => {
    const { inviteUrl } = await asked("POST", "/auth/invite", { email: "sue@example.com", role: 10 });
    const sue = await accept(browser, site, inviteUrl, "Sue");
    await getStarted(sue.page);
    await sue.go("/media");
    await sue.page.getByRole("table").or(sue.page.getByRole("grid")).waitFor();
    for (const name of ["Upload files", "New folder…"]) assert.equal(await sue.page.getByRole("button", { name }).count(), 0);
    assert.equal(await sue.page.getByRole("checkbox").count(), 0);
    await sue.page.getByRole("link", { name: "picture-2.png", exact: true }).click();
    await sue.page.getByRole("link", { name: "Download" }).waitFor();
    for (const name of ["Save changes", "Replace file…", "Delete…"]) assert.equal(await sue.page.getByRole("button", { name }).count(), 0);
    sue.mustNotHaveComplained();
    await sue.close();
  });

  ada.mustNotHaveComplained();
});
