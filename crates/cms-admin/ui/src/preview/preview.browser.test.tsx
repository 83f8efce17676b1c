// The pane over a page that a test makes up: it is in a frame of this origin, which is the configured one here.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { SessionContext } from "~/editor/model/context";
import type { EntrySession } from "~/editor/model/session";
import { ME, opened, Server } from "~/editor/testing/opened";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import LinksDialog from "./LinksDialog";
import { ownLinkOf } from "./link";
import PreviewPane from "./PreviewPane";

vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

interface Kept {
  id: string;
  userId: string | null;
  madeWith: "token" | "application" | "session";
  createdAt: string;
  expiresAt: string;
}

const hours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Has the server that a test made up make links to pages of this origin as well, and keep a list of them. */
function withLinks(links: Kept[] = []) {
  const made: object[] = [];
  const others = vi.mocked(globalThis.fetch).getMockImplementation();
  let refusal: { status: number; code: string } | undefined;
  vi.mocked(globalThis.fetch).mockImplementation(async (given, init) => {
    const request = given as Request;
    const path = new URL(request.url).pathname;
    const answer = (data: object, status = 200) => new Response(JSON.stringify(status < 400 ? { data } : { error: data }), { status, headers: { "content-type": "application/json" } });
    if (path.endsWith("/authors")) return answer({ items: [{ id: "grace", name: "Grace Hopper", email: "grace@example.com" }] });
    const asked = /\/preview-url(?:\/(.+))?$/.exec(path);
    if (!asked) return others?.(given, init) ?? Response.error();
    if (request.method === "GET") return answer({ items: links });
    if (request.method === "DELETE") {
      if (asked[1] === undefined) links.splice(0);
      else links.splice(links.findIndex((link) => link.id === asked[1]), 1);
      return answer({ revoked: true });
    }
    if (refusal) return answer({ ...refusal, message: refusal.code, details: {} }, refusal.status);
    const body = (await request.json()) as object;
    made.push(body);
    const link: Kept = { id: `link-${made.length}`, userId: ME, madeWith: "session", createdAt: hours(0), expiresAt: hours(8) };
    links.unshift(link);
    return answer({ id: link.id, url: `/read/looms?_preview=${link.id}`, expiresAt: link.expiresAt });
  });
  return { links, made, refuse: (code: string, status = 409) => (refusal = { code, status }), allow: () => (refusal = undefined) };
}

const NOTHING = (): void => undefined;

function pane(session: EntrySession, { origin = location.origin, permissions = [] as string[], onOpenTab = NOTHING, onClose = NOTHING } = {}) {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: ME, name: "Ada", permissions } as never);
  return show(
    <SessionContext value={session}>
      <div className="flex">
        <div className="grow" />
        <PreviewPane origin={origin} onClose={onClose} onOpenTab={onOpenTab} onLinks={NOTHING} />
      </div>
    </SessionContext>,
    { queries },
  );
}

const frame = () => document.querySelector("iframe");

/** The page in the frame takes the focus, as one does that has a field to type in. */
function take() {
  const inner = frame()?.contentDocument;
  const field = inner?.createElement("input");
  if (field) inner?.body.append(field);
  field?.focus();
}

/** What a page in the frame says: the frame is this origin's, so that a test can speak for it. */
function say(message: object) {
  window.dispatchEvent(new MessageEvent("message", { origin: location.origin, source: frame()?.contentWindow ?? null, data: { cms: "preview", version: 1, ...message } }));
}

/** What the page in the frame is told. */
function told(): Record<string, unknown>[] {
  const messages: Record<string, unknown>[] = [];
  const { contentWindow } = frame() ?? {};
  if (contentWindow) vi.spyOn(contentWindow, "postMessage").mockImplementation((message: unknown) => void messages.push(message as Record<string, unknown>));
  return messages;
}

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await page.viewport(1280, 800);
});
afterEach(() => vi.restoreAllMocks());

it("shows the page of the entry by the path of its collection, and tells it what is typed", async () => {
  const server = new Server({ title: "On looms" });
  const { made } = withLinks();
  const session = opened(server);
  Object.assign(session.collection, { urlPattern: "/read/{slug}" });
  await pane(session);
  await expect.poll(() => frame()?.src).toBe(`${location.origin}/read/looms?_preview=link-1`);
  expect(made).toEqual([{ expiresIn: "8h", pathPattern: "/read/{slug}" }]);
  const messages = told();
  say({ type: "ready", url: `${location.origin}/read/looms`, page: 1 });
  await expect.element(page.getByText("Follows your changes")).toBeVisible();
  await expect.poll(() => messages.length).toBe(1);
  say({ type: "shown", number: 1 });
  session.change({ title: "On looms and weft" });
  await expect.poll(() => messages.at(-1)).toMatchObject({ type: "entry", whole: false, entry: { data: { title: "On looms and weft" } }, saved: false });
});

it("leaves the focus where somebody writes when the page takes it, and lets whoever wants to into the page", async () => {
  const server = new Server({ title: "A" });
  withLinks();
  const session = opened(server);
  const screen = await pane(session);
  await screen.again(
    <SessionContext value={session}>
      <div className="flex">
        <textarea aria-label="Title" className="grow" />
        <PreviewPane origin={location.origin} onClose={NOTHING} onOpenTab={NOTHING} onLinks={NOTHING} />
      </div>
    </SessionContext>,
  );
  // The page itself, and not the empty one that a frame begins with.
  await expect.poll(() => frame()?.contentWindow?.location.pathname, { timeout: 10_000 }).toBe("/read/looms");
  await expect.poll(() => frame()?.contentDocument?.readyState, { timeout: 10_000 }).toBe("complete");
  const field = page.getByLabelText("Title");
  await userEvent.click(field);
  take();
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("On looms");
  await expect.element(field).toHaveValue("On looms");
  // By the keyboard one gets there.
  const last = page.getByRole("button", { name: "Phone width" });
  (last.element() as HTMLElement).focus();
  await userEvent.keyboard("{Tab}{Tab}{Tab}{Tab}");
  await expect.poll(() => document.activeElement).toBe(frame());
});

it("uses one link for as long as the entry is open, and asks for another one once it is revoked", async () => {
  const server = new Server({ title: "A" });
  const { links, made } = withLinks();
  const session = opened(server);
  const [one, other] = await Promise.all([ownLinkOf(session).get(), ownLinkOf(session).get()]);
  expect(other).toEqual(one);
  expect((await ownLinkOf(opened(server)).get()).id).toBe(one.id);
  links.splice(0);
  expect((await ownLinkOf(session).get()).id).not.toBe(one.id);
  expect(made).toHaveLength(2);
});

it("says that one is looking at another page, and leads back", async () => {
  const server = new Server({ title: "A" });
  withLinks();
  await pane(opened(server));
  await expect.poll(frame).not.toBeNull();
  say({ type: "ready", url: `${location.origin}/read/looms`, page: 1 });
  say({ type: "link", url: `${location.origin}/about` });
  say({ type: "ready", url: `${location.origin}/about`, page: 2 });
  await expect.element(page.getByText("You are looking at another page")).toBeVisible();
  await expect.element(page.getByText("/about", { exact: true })).toBeVisible();
  const before = frame();
  await page.getByRole("button", { name: "Back to the entry" }).click();
  await expect.poll(() => frame() !== null && frame() !== before).toBe(true);
  await expect.element(page.getByText("You are looking at another page")).not.toBeInTheDocument();
});

it.each([
  ["whoever can set it up how to", ["users:manage"], "CMS_PREVIEW_ORIGIN"],
  ["everybody else whom to ask", [], "Ask an administrator to set up previews."],
])("tells %s where the server does not know the site", async (_, permissions, text) => {
  const onOpenTab = vi.fn();
  await pane(opened(new Server({ title: "A" })), { origin: "", permissions, onOpenTab });
  await expect.element(page.getByText(text)).toBeVisible();
  expect(frame()).toBeNull();
  await page.getByRole("button", { name: "Open in a new tab" }).click();
  expect(onOpenTab).toHaveBeenCalled();
});

it("says what to do when there are too many links, and tries again when the server did not answer", async () => {
  const server = new Server({ title: "A" });
  const { refuse, allow } = withLinks();
  refuse("PREVIEW_LIMIT");
  const screen = await pane(opened(server));
  await expect.element(page.getByText("There are too many links to this entry")).toBeVisible();
  await screen.unmount();
  refuse("INTERNAL_ERROR", 500);
  await pane(opened(server));
  await expect.element(page.getByText("This could not be loaded")).toBeVisible();
  allow();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(frame).not.toBeNull();
});

it("draws the page as wide as a device, and remembers which", async () => {
  const server = new Server({ title: "A" });
  withLinks();
  const screen = await pane(opened(server));
  await expect.poll(frame).not.toBeNull();
  await page.getByRole("button", { name: "Desktop width" }).click();
  await expect.poll(() => frame()?.clientWidth).toBe(1280);
  await expect.element(page.getByText(/^\d+%$/)).toBeVisible();
  await screen.unmount();
  await pane(opened(server));
  await expect.element(page.getByRole("button", { name: "Desktop width" })).toHaveAttribute("aria-pressed", "true");
});

it("stands over everything on a phone, and is closed by Escape", async () => {
  const server = new Server({ title: "A" });
  withLinks();
  const onClose = vi.fn();
  await page.viewport(360, 740);
  await pane(opened(server), { onClose });
  await expect.element(page.getByRole("dialog", { name: "Preview" })).toBeVisible();
  // All of it but for the place of a scroll bar.
  expect(page.getByRole("dialog", { name: "Preview" }).element().getBoundingClientRect().width).toBeGreaterThan(340);
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});

async function dialog(session: EntrySession, mayRevokeAll = true) {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: ME, name: "Ada", permissions: [] } as never);
  return show(
    <SessionContext value={session}>
      <LinksDialog mayRevokeAll={mayRevokeAll} onClose={() => undefined} />
    </SessionContext>,
    { queries },
  );
}

const theirs = (id: string, userId: string | null = "grace", madeWith: Kept["madeWith"] = "session"): Kept => ({ id, userId, madeWith, createdAt: hours(-1), expiresAt: hours(1) });

it("makes a link for as long as it is asked to, and shows it once", async () => {
  const server = new Server({ title: "A" });
  const { made } = withLinks();
  await dialog(opened(server));
  await expect.element(page.getByText("There are no active links to this entry.")).toBeVisible();
  await page.getByLabelText("Valid for").selectOptions("30 days");
  await page.getByRole("button", { name: "Create link" }).click();
  await expect.element(page.getByLabelText("The new link")).toHaveValue(`${location.origin}/read/looms?_preview=link-1`);
  expect(made).toEqual([{ expiresIn: 30 * 86_400, pathPattern: null }]);
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect.element(page.getByText("There are no active links to this entry.")).toBeVisible();
  await expect.element(page.getByLabelText("The new link")).not.toBeInTheDocument();
});

it("lists who made each link with what, and has those revoke it who may", async () => {
  const server = new Server({ title: "A" });
  const { links } = withLinks([theirs("1"), theirs("2", null), theirs("3", "nobody known", "token"), theirs("4", ME, "application")]);
  await dialog(opened(server), false);
  const rows = page.getByRole("list", { name: "Active links" }).getByRole("listitem");
  await expect.element(rows.nth(0)).toHaveTextContent("Grace Hopper");
  await expect.element(rows.nth(1)).toHaveTextContent("The operator of the server");
  await expect.element(rows.nth(2)).toHaveTextContent("Somebody elseWith an access token");
  await expect.element(rows.nth(3)).toHaveTextContent("YouBy an application");
  expect(page.getByRole("button", { name: /^Revoke/ }).elements()).toHaveLength(1);
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => links.map(({ id }) => id)).toEqual(["1", "2", "3"]);
});

it("revokes all of them after a question, and the editor's own with them", async () => {
  const server = new Server({ title: "A" });
  const { links } = withLinks([theirs("1")]);
  const session = opened(server);
  const own = await ownLinkOf(session).get();
  await dialog(session);
  await expect.element(page.getByText("This tab’s preview")).toBeVisible();
  await page.getByRole("button", { name: "Revoke all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  expect(links).toHaveLength(2);
  await page.getByRole("button", { name: "Revoke all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all" }).click();
  await expect.element(page.getByText("There are no active links to this entry.")).toBeVisible();
  expect(ownLinkOf(session).link.get()).toBeUndefined();
  expect((await ownLinkOf(session).get()).id).not.toBe(own.id);
});
