import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { mode } from "~/door/queries";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";
import { pretend, type Asked } from "~/testing/server";

import { PaletteDialog } from "../PaletteDialog";
import { entryId, recall, remember } from "./recent";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const TITLE = { slug: "title", type: "string", label: "Title", index: { state: "ready" } };
const SLUGS = ["alpha", "beta", "gamma", "delta"];
const models = SLUGS.map((slug) => ({ slug, label: `The ${slug}`, icon: null, hidden: false, titleField: "title" }));
const entry = (id: string, title: string | null, type = "alpha") => ({ id, type, title, slug: `slug-${id}`, data: { title } });
const LONG = "Weaving ".repeat(60);
const CHANGED = [entry("A", "Éléments de géométrie"), entry("B", LONG), entry("C", "مرحبا بالعالم"), entry("D", null), entry("E", "constructor")];

const all = ["content:read_drafts", "content:create", "users:read", "users:invite", "schema:manage"];

/** What a list finds, which a test can hold back. */
let finds: (type: string, text: string) => object | Promise<object>;

const listed = ({ path, query }: Asked) => {
  if (path === "/models") return { items: models };
  if (path === "/content") return { items: CHANGED };
  if (path === "/admin/users") return { items: [{ id: "ada", name: "Ada", email: "ada@example.com" }].filter(({ email }) => email.includes(query.get("search") ?? "")) };
  const model = models.find(({ slug }) => path === `/models/${slug}`);
  if (model) return { item: { ...model, fields: [TITLE] } };
  const [, type, id] = /^\/content\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (id) return id === "OLD" ? { item: entry("OLD", "An old one") } : undefined;
  if (!type) return undefined;
  const filters = JSON.parse(query.get("fieldFilters") ?? "{}") as { title: { contains: string } };
  return finds(type, filters.title.contains);
};

beforeEach(() => {
  localStorage.clear();
  finds = () => ({ items: [] });
});

/** The palette, open, for somebody with some permissions. */
async function open({ permissions = all, server = listed, user = "me" }: { permissions?: string[]; server?: Parameters<typeof pretend>[0]; user?: string } = {}) {
  const asked = pretend(server);
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: user, email: "me@example.com", permissions } as never);
  queries.setQueryData(mode.queryKey, { mode: "passkey" } as never);
  const shown = await show(<PaletteDialog open onClose={() => undefined} onHelp={() => undefined} />, { queries });
  await expect.element(option("Dark theme")).toBeInTheDocument();
  // What it knows without being asked has come.
  if (permissions.includes("content:read_drafts")) await expect.element(option(/^New entry in/).first()).toBeInTheDocument();
  return { asked, ...shown };
}

const box = () => page.getByRole("combobox");
const option = (name: string | RegExp) => page.getByRole("option", { name });
const selected = () => page.getByRole("option", { selected: true });
const searches = (asked: Asked[]) => asked.filter(({ query }) => query.has("fieldFilters") || query.has("search"));

it("finds entries without their accents, by their address, and as they are written", async () => {
  await open();
  await userEvent.fill(box(), "geometrie");
  await expect.element(option(/Éléments de géométrie/)).toBeVisible();
  await expect.element(selected()).toHaveTextContent("Éléments de géométrie");
  await userEvent.fill(box(), "slug-b");
  await expect.element(option(/^Weaving/)).toBeVisible();
  await userEvent.fill(box(), "مرحبا");
  await expect.element(option(/مرحبا/)).toBeVisible();
  await userEvent.fill(box(), "constructor");
  await expect.element(option(/constructor/)).toBeVisible();
});

it("cuts a long title within its row", async () => {
  await open();
  await userEvent.fill(box(), "weaving");
  const row = option(/^Weaving/).element();
  expect(row.scrollWidth).toBeLessThanOrEqual(row.clientWidth);
  expect(row.clientHeight).toBeLessThan(60);
});

it("asks at most three times at a pause in typing, and not at each letter", async () => {
  const { asked } = await open();
  await expect.poll(() => asked.filter(({ path }) => path.startsWith("/models/")).length).toBeGreaterThanOrEqual(4);
  await userEvent.type(box(), "looms");
  await expect.poll(() => searches(asked).length).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(searches(asked).map(({ path }) => path).toSorted()).toEqual(["/admin/users", "/content/alpha", "/content/beta"]);
});

it("drops what it asked for when the next letter comes, and shows no answer to an older question", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  finds = async (type, text) => {
    if (text === "loom") await held;
    return { items: type === "alpha" ? [entry(text, `Found for ${text}`)] : [] };
  };
  const { asked } = await open();
  await userEvent.fill(box(), "loom");
  await expect.poll(() => searches(asked).length).toBe(3);
  const before = searches(asked);
  await userEvent.fill(box(), "looms");
  await expect.poll(() => before.every(({ signal }) => signal.aborted)).toBe(true);
  await expect.element(option(/Found for looms/)).toBeVisible();
  release();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(option(/Found for loom\b/).query()).toBeNull();
});

it("keeps the option that Enter chooses while answers come in", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  finds = async (type) => {
    await held;
    return { items: type === "alpha" ? [entry("T", "Theme park")] : [] };
  };
  await open();
  await userEvent.fill(box(), "dark th");
  await expect.element(selected()).toHaveTextContent("Dark theme");
  release();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(selected()).toHaveTextContent("Dark theme");
});

it("says what could not be searched, and searches it again", async () => {
  let isDown = true;
  finds = (type) => (isDown && type === "beta" ? { status: 400, code: "VALIDATION_ERROR" } : { items: [entry(`X${type}`, `Loom of ${type}`, type)] });
  await open();
  await userEvent.fill(box(), "loom");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Not everything could be searched.");
  await expect.element(option(/Loom of alpha/)).toBeVisible();
  isDown = false;
  await userEvent.click(page.getByRole("button", { name: "Try again" }));
  await expect.element(option(/Loom of beta/)).toBeVisible();
  await expect.poll(() => page.getByRole("alert").query()).toBeNull();
});

it("says what to try where nothing matches", async () => {
  await open();
  await userEvent.fill(box(), "xyzzy");
  await expect.element(page.getByText("Nothing matches “xyzzy”.")).toBeVisible();
  await expect.element(page.getByText(/^Try a word/)).toBeVisible();
  // Where it was not looked can be looked.
  await expect.element(option("“xyzzy” in The gamma")).toBeVisible();
});

it("moves through the groups by keys, round and round", async () => {
  await open();
  const first = selected().element().textContent;
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(selected()).toHaveTextContent("Sign out");
  expect(box().element().getAttribute("aria-activedescendant")).toBe(selected().element().id);
  await userEvent.keyboard("{ArrowDown}");
  expect(selected().element().textContent).toBe(first);
  await userEvent.keyboard("{End}");
  await expect.element(selected()).toHaveTextContent("Sign out");
  for (const group of page.getByRole("group").elements()) expect(document.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent).not.toBe("");
});

it("offers what was chosen last as it is called now, and forgets what is gone", async () => {
  for (const id of ["GONE", "OLD", "A"]) remember("me", entryId("alpha", id));
  remember("me", entryId("no_more", "A"));
  const { asked } = await open();
  await expect.element(option(/An old one/)).toBeVisible();
  const recent = page.getByRole("group", { name: "Recent" });
  expect(recent.getByRole("option").elements().map(({ textContent }) => textContent)).toEqual(["Éléments de géométrieThe alpha", "An old oneThe alpha"]);
  await expect.poll(() => recall("me")).not.toContain(entryId("alpha", "GONE"));
  expect(asked.filter(({ path }) => path.startsWith("/content/")).map(({ path }) => path)).toEqual(["/content/alpha/OLD", "/content/alpha/GONE"]);
});

it("shows nobody what somebody else chose, and nothing that one may not see any more", async () => {
  remember("me", entryId("alpha", "A"));
  remember("me", "user:ada");
  const { asked } = await open({ permissions: ["content:read"] });
  expect(page.getByRole("group", { name: "Recent" }).query()).toBeNull();
  await userEvent.fill(box(), "ada");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toEqual([]);
  expect(option(/ada/i).query()).toBeNull();
});

it("does not offer first what does something at once", async () => {
  await open();
  await userEvent.fill(box(), "dark theme");
  await userEvent.keyboard("{Enter}");
  expect(recall("me")).toEqual([]);
  delete document.documentElement.dataset.theme;
  localStorage.removeItem("cms-theme");
});

it("stays quick beside a thousand collections", async () => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({ slug: `c${n}`, label: `Collection ${n}`, icon: null, hidden: false, titleField: "title" }));
  await open({ server: (asked) => (asked.path === "/models" ? { items: many } : asked.path === "/content" ? { items: [] } : undefined) });
  expect(page.getByRole("option").elements().length).toBeLessThan(80);
  const began = performance.now();
  await userEvent.fill(box(), "collection 999");
  await expect.element(option("New entry in Collection 999")).toBeVisible();
  expect(performance.now() - began).toBeLessThan(2_000);
});
