import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { mode } from "~/door/queries";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";
import { pretend, type Asked } from "~/testing/server";

import { Dashboard } from "./Dashboard";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const EDITOR = ["content:read", "content:read_drafts", "content:create", "content:publish_own", "content:publish_any"];
const ADMIN = [...EDITOR, "schema:manage", "users:read", "users:invite", "jobs:manage", "auth:manage_own_credentials"];

const LONG = "Weaving ".repeat(40).slice(0, 299);
const HOUR = 3_600_000;
const at = (from: number) => new Date(Date.now() + from).toISOString();
const entry = (id: string, title: string | null, more: object = {}) => ({ id, type: "notes", title, slug: null, status: "draft", hasDraft: false, authorId: "me", updatedAt: at(-HOUR), scheduledAt: null, ...more });

const models = [
  { slug: "notes", label: "Notes", labelSingular: "Note", icon: null, hidden: false },
  { slug: "secret", label: "Hidden ones", labelSingular: null, icon: null, hidden: true },
];

const task = (name: string, health: string) => ({ node: "one", name, health, lastStartedAt: null, lastSucceededAt: at(-HOUR), lastError: health === "well" ? null : "the disk is full", attempts: 1 });

/** What the server has, by what it is asked for. */
let data: Record<string, (asked: Asked) => object>;

beforeEach(() => {
  localStorage.clear();
  data = {
    "/models": () => ({ items: models }),
    "/content": ({ query }) => ({ items: query.get("status") === null ? [entry("R", LONG)] : [] }),
    "/auth/passkey": () => ({ items: [{}] }),
    "/auth/sessions": () => ({ items: [{}] }),
    "/admin/users": () => ({ items: [{}] }),
    "/auth/invites": () => ({ items: [] }),
    "/admin/tasks": () => ({ items: [task("publish_due", "well")] }),
    "/admin/jobs": () => ({ items: [] }),
    "/site": () => ({ locales: ["en"], timeZone: "Europe/Berlin" }),
  };
});

async function open(permissions = EDITOR, user = "me") {
  const asked = pretend((one) => data[one.path]?.(one));
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: user, email: "me@example.com", name: "Ada", role: 40, emailVerified: true, permissions } as never);
  queries.setQueryData(mode.queryKey, { authMode: null, magicLinkEnabled: false } as never);
  await show(<Dashboard />, { queries });
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("Hello, Ada");
  return Object.assign(asked, { queries });
}

const card = (name: string) => page.getByRole("region", { name, exact: true });
const cards = () => page.getByRole("heading", { level: 2 }).elements().map(({ textContent }) => textContent).filter((name) => name !== "First steps");
/** Answers to questions of one status. */
const ofStatus = (status: string, items: object[], more: object = {}) => {
  const before = data["/content"];
  data["/content"] = (asked) => (asked.query.get("status") === status ? { items, ...more } : (before?.(asked) ?? {}));
};

it("asks for each card once", async () => {
  const asked = await open(ADMIN);
  await expect.element(card("Jobs")).toHaveTextContent("Nothing is under way");
  await expect.element(card("First steps")).toBeVisible();
  await expect.element(card("My drafts")).toHaveTextContent("You have no drafts.");
  const names = asked.map(({ path, query }) => `${path}?${query}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeLessThanOrEqual(13);
});

it("cuts a title of hundreds of characters within its row", async () => {
  await open();
  const link = card("Recent changes").getByRole("link", { name: LONG });
  await expect.element(link).toBeVisible();
  const element = card("Recent changes").element();
  expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
  expect(link.element().getBoundingClientRect().height).toBeLessThan(40);
});

it("says that a card could not be loaded, and loads it when asked to", async () => {
  const well = data["/content"];
  data["/content"] = (asked) => (asked.query.get("status") === "draft" && asked.query.has("authorId") ? { status: 500, code: "INTERNAL_ERROR" } : (well?.(asked) ?? {}));
  await open();
  await expect.element(card("My drafts").getByRole("alert")).toHaveTextContent("This could not be loaded");
  await expect.element(card("Recent changes").getByRole("link", { name: LONG })).toBeVisible();
  data["/content"] = well ?? data["/content"];
  await userEvent.click(card("My drafts").getByRole("button", { name: "Try again" }));
  await expect.element(card("My drafts")).toHaveTextContent("You have no drafts.");
});

it("puts what is scheduled by its time, apart from what is late, and says why something is late when asked to", async () => {
  ofStatus("scheduled", [
    entry("C", "In a week", { status: "scheduled", scheduledAt: at(170 * HOUR) }),
    entry("L", "Late one", { status: "scheduled", scheduledAt: at(-5 * HOUR), authorId: "other" }),
    entry("S", "Soon", { status: "scheduled", scheduledAt: at(HOUR), authorId: "other" }),
  ]);
  data["/content/notes/L"] = () => ({ item: { ...entry("L", "Late one"), scheduleFailure: { attempts: 3, lastError: "`data.title` is required", nextAttemptAt: null } } });
  const asked = await open();
  const titles = (name: string) => card(name).getByRole("link").elements().map(({ textContent }) => textContent);
  await expect.element(card("Scheduled next").getByRole("link", { name: "Soon" })).toBeVisible();
  expect(titles("Scheduled next")).toEqual(["Soon", "In a week"]);
  expect(titles("My scheduled entries")).toEqual(["In a week"]);
  expect(titles("Not published on time")).toEqual(["Late one"]);
  expect(asked.some(({ path }) => path === "/content/notes/L")).toBe(false);
  await userEvent.click(card("Not published on time").getByRole("button", { name: "Why?" }));
  await expect.element(card("Not published on time")).toHaveTextContent("`data.title` is required");
  await expect.element(card("Not published on time")).toHaveTextContent("It is not tried again");
});

it("warns whoever runs the site when something is late and no server publishes, and nobody when one does", async () => {
  ofStatus("scheduled", [entry("L", "Late one", { status: "scheduled", scheduledAt: at(-HOUR) })]);
  data["/admin/tasks"] = () => ({ items: [task("publish_due", "missed"), task("prune", "well")] });
  await open(ADMIN);
  await expect.element(card("Not published on time")).toHaveTextContent("No server publishes just now");
  await expect.element(card("Site health")).toHaveTextContent("Publish what is due");
  await expect.element(card("Site health")).toHaveTextContent("the disk is full");
});

it("does not warn while a server publishes", async () => {
  ofStatus("scheduled", [entry("L", "Late one", { status: "scheduled", scheduledAt: at(-HOUR) })]);
  await open(ADMIN);
  await expect.element(card("Not published on time").getByRole("link", { name: "Late one" })).toBeVisible();
  await expect.element(card("Site health")).toHaveTextContent("The server is well");
  expect(page.getByText("No server publishes just now").query()).toBeNull();
});

it("says of a long plan that there may be more, and asks for one's own", async () => {
  ofStatus("scheduled", [entry("S", "Soon", { status: "scheduled", scheduledAt: at(HOUR), authorId: "other" })], { nextCursor: "more" });
  const asked = await open();
  await expect.element(card("Scheduled next")).toHaveTextContent("There may be more.");
  await expect.poll(() => asked.filter(({ query }) => query.get("status") === "scheduled").map(({ query }) => query.get("authorId"))).toEqual([null, "me"]);
});

it("claims nothing of what it did not look at", async () => {
  ofStatus("scheduled", [], { nextCursor: "more" });
  ofStatus("draft", [entry("D", "Mine")], { nextCursor: "more" });
  await open();
  for (const name of ["Not published on time", "My scheduled entries", "Scheduled next", "Drafts of others"]) await expect.element(card(name)).toHaveTextContent("Only what changed last was looked at. There may be more.");
  for (const claim of ["Everything that was due is public.", "Nothing of yours is scheduled.", "Nothing is scheduled.", "Nobody else has a draft."]) expect(page.getByText(claim).query(), claim).toBeNull();
});

it("says how old it is what could not be asked for again, until it can be", async () => {
  const { queries } = await open(ADMIN);
  await expect.element(card("Site health")).toHaveTextContent("The server is well");
  expect(card("Site health").getByRole("alert").query()).toBeNull();
  const well = data["/admin/tasks"];
  data["/admin/tasks"] = () => ({ status: 500, code: "INTERNAL_ERROR" });
  await queries.refetchQueries({ queryKey: ["tasks"] });
  await expect.element(card("Site health").getByRole("alert")).toHaveTextContent("As of ");
  data["/admin/tasks"] = well ?? (() => ({}));
  await userEvent.click(card("Site health").getByRole("button", { name: "Try again" }));
  await expect.poll(() => card("Site health").getByRole("alert").query()).toBeNull();
});

it("shows first what failed of the jobs, and what goes on", async () => {
  const job = (id: string, state: string) => ({ id, kind: "content.bulk", title: "t", state, done: 30, total: 60, error: state === "failed" ? "no space" : null, failedItems: 0, createdAt: at(-HOUR), startedAt: null, finishedAt: null });
  data["/admin/jobs"] = () => ({ items: [job("1", "running"), job("2", "done"), job("3", "failed")] });
  await open(ADMIN);
  const rows = card("Jobs").getByRole("listitem");
  await expect.element(rows.first()).toHaveTextContent("no space");
  expect(rows.elements()).toHaveLength(2);
  await expect.element(rows.nth(1)).toHaveTextContent("Running 50%");
});

it("offers to write in collections of the navigation alone", async () => {
  await open();
  await expect.element(page.getByRole("link", { name: "New entry in Notes" })).toBeVisible();
  expect(page.getByRole("link", { name: /Hidden/ }).query()).toBeNull();
});

it("has nothing of content for whoever may not see drafts", async () => {
  const asked = await open(["content:read", "auth:manage_own_credentials"]);
  await expect.element(card("Security")).toBeVisible();
  expect(cards()).not.toContain("My drafts");
  expect(asked.filter(({ path }) => /content|models|admin/.test(path))).toEqual([]);
});

it("leaves the steps that are done out, and asks for nothing of them once all are", async () => {
  ofStatus("draft", [entry("D", "A draft")]);
  await open(ADMIN);
  await expect.element(card("First steps")).toHaveTextContent("2 of 5 done");
  const steps = card("First steps").getByRole("listitem").elements().map(({ textContent }) => textContent.slice(0, 10));
  expect(steps).toEqual(["Publish it", "Invite som", "Add a seco"]);
  await userEvent.click(card("First steps").getByRole("button", { name: "Hide the first steps" }));
  await expect.poll(() => card("First steps").query()).toBeNull();
});

it("forgets the first steps when all are done", async () => {
  ofStatus("published", [entry("P", "Public")]);
  Object.assign(data, { "/auth/passkey": () => ({ items: [{}, {}] }), "/admin/users": () => ({ items: [{}, {}] }) });
  await open(ADMIN);
  await expect.poll(() => localStorage.getItem("cms-dashboard:me")).toContain('"areStepsOver":true');
  expect(card("First steps").query()).toBeNull();
});

it("is arranged by keys, hides cards, and is as it was after a reset, each user by themselves", async () => {
  await open();
  await expect.element(card("My drafts")).toBeVisible();
  localStorage.setItem("cms-dashboard:other", "{}");
  const before = cards();
  await userEvent.click(page.getByRole("button", { name: "Arrange" }));
  const dialog = page.getByRole("dialog", { name: "Arrange the dashboard" });
  await expect.element(dialog).toBeVisible();
  (dialog.getByRole("button", { name: "Move Recent changes" }).element() as HTMLElement).focus();
  await userEvent.keyboard(" {Home} ");
  await userEvent.click(dialog.getByRole("switch", { name: "Show “My drafts”" }));
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await expect.poll(() => page.getByRole("dialog").query()).toBeNull();
  expect(cards()[0]).toBe("Recent changes");
  expect(cards()).not.toContain("My drafts");
  expect(localStorage.getItem("cms-dashboard:other")).toBe("{}");
  await userEvent.click(page.getByRole("button", { name: "Arrange" }));
  await userEvent.click(dialog.getByRole("button", { name: "Reset" }));
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await expect.poll(cards).toEqual(before);
});

it("says how to get cards back where all are hidden", async () => {
  localStorage.setItem("cms-dashboard:me", JSON.stringify({ hidden: ["drafts", "recent", "late", "waiting", "next", "others", "security", "account", "access"], areStepsOver: true }));
  const asked = await open();
  await expect.element(page.getByText("Every card is hidden")).toBeVisible();
  // What is hidden is not asked for.
  expect(asked.filter(({ path }) => path === "/content")).toEqual([]);
});
