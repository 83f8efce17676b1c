import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { isSame } from "~/lib/same";
import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import { Control } from "./Control";
import { Frame } from "./Frame";
import type { Shaped } from "./shape";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const TITLE = { slug: "title", type: "string", label: "Title", required: true, validation: { maxLength: 20 } };
const GRACE = { id: "g", type: "people", slug: "grace", locale: "en", status: "published", version: 3, data: { title: "Grace" } };

/** What the server has, and how it answers to a new entry. */
const server = { entries: [GRACE], fields: [TITLE] as object[], asked: [] as string[], create: (title: string, id: string): Response | Promise<Response> => made(title, id) };

function json(status: number, body: object) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

function made(title: string, id: string) {
  const item = { ...GRACE, id, slug: null as never, status: "draft", version: 1, data: { title } };
  server.entries = [item, ...server.entries];
  return json(201, { data: { item, _rev: "1" } });
}

/** The entry that was made last, by the id that was chosen for it. */
const newest = () => server.entries.find(({ id }) => id !== GRACE.id)?.id ?? "none";

beforeEach(() => {
  Object.assign(server, { entries: [GRACE], fields: [TITLE], asked: [], create: made });
  localStorage.clear();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { method, url } = request as Request;
    const { pathname } = new URL(url);
    if (pathname.endsWith("/models/people")) return json(200, { data: { item: { slug: "people", label: "People", titleField: "title", fields: server.fields } } });
    if (pathname.includes("/gone")) return json(404, { error: { code: "COLLECTION_NOT_FOUND", message: "no" } });
    const id = /\/content\/people\/(\w+)$/.exec(pathname)?.[1];
    if (id) {
      const item = server.entries.find((entry) => entry.id === id);
      return item ? json(200, { data: { item, _rev: "1" } }) : json(404, { error: { code: "NOT_FOUND", message: "no" } });
    }
    if (method !== "POST") return json(200, { data: { items: server.entries, nextCursor: null } });
    const { id: chosen, data } = (await (request as Request).clone().json()) as { id: string; data: { title: string } };
    server.asked.push(data.title);
    return server.create(data.title, chosen);
  });
});

/** A field that refers to people, or to something else, with its value, which the test looks at. */
async function draw({ value = null, many = false, permissions = ["content:create"], collection = "people" }: { value?: unknown; many?: boolean; permissions?: string[]; collection?: string } = {}) {
  const field: Shaped = { slug: "it", label: "Editor", type: "reference", required: false, validation: {}, options: { collection, allowMultiple: many } };
  const seen = { value };
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "me", permissions } as never);
  function Drawn() {
    const [current, setCurrent] = useState(value);
    const onChange = (next: unknown) => {
      seen.value = next;
      setCurrent(next);
    };
    return (
      <Frame field={field} id="it" value={current} issues={[]}>
        {(control) => <Control {...control} field={field} value={current} issues={[]} readOnly={false} onChange={onChange} />}
      </Frame>
    );
  }
  await show(<Drawn />, { queries });
  return seen;
}

const options = () => [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent);

/** Types a name into the picker and takes what is offered, by keys alone. */
async function create(name: string) {
  await userEvent.keyboard(name);
  await expect.poll(() => options().at(-1)).toMatch(`Create “${name}”`);
  await expect.poll(() => document.querySelector("[role=listbox]")?.getAttribute("aria-busy")).toBeNull();
  await userEvent.keyboard("{ArrowUp}".repeat(options().length > 1 ? 1 : 0) + "{Enter}");
}

it("makes a draft of what was typed, refers to it, and says that it is not public yet, by keys alone", async () => {
  const seen = await draw({ value: ["g"], many: true });
  await expect.element(page.getByText("Grace")).toBeVisible();
  page.getByRole("button", { name: "Add an entry" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await create("Zoe");
  await expect.poll(() => isSame(seen.value, ["g", newest()])).toBe(true);
  await expect.element(page.getByText("Zoe", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Draft", { exact: true })).toBeVisible();
  await expect.element(page.getByRole("status").filter({ hasText: "“Zoe” is a draft" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Add an entry" })).toHaveFocus();
  // What is told goes with the reference.
  await page.getByRole("button", { name: "Remove Zoe" }).click();
  await expect.element(page.getByText("“Zoe” is a draft")).not.toBeInTheDocument();
});

it("says at the field why it was not made, and makes it once on another try", async () => {
  const seen = await draw();
  server.create = () => json(400, { error: { code: "VALIDATION_ERROR", message: "no", details: { issues: [{ path: "data.title", code: "TOO_LONG", message: "is too long" }] } } });
  await page.getByRole("button", { name: "Choose an entry" }).click();
  await create("Zoe");
  await expect.element(page.getByRole("alert")).toHaveTextContent("“Zoe” was not created.This can have 20 characters at most.");
  expect(seen.value).toBeNull();
  // It arrives, and its answer gets lost.
  server.create = (title, id) => {
    made(title, id);
    throw new TypeError("network");
  };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The server cannot be reached");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => isSame(seen.value, newest())).toBe(true);
  expect(server.asked).toEqual(["Zoe", "Zoe"]);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

it("leads to a new tab where more than a title is needed, and says what", async () => {
  server.fields = [TITLE, { slug: "bio", type: "text", label: "Biography", required: true }, { slug: "kind", type: "string", label: "Kind", required: true, defaultValue: "staff" }];
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const seen = await draw();
  await page.getByRole("button", { name: "Choose an entry" }).click();
  await create("Zoe");
  expect(open).toHaveBeenCalledExactlyOnceWith("/admin/content/people/new", "_blank", "noopener");
  expect([seen.value, server.asked]).toEqual([null, []]);
  await page.getByRole("button", { name: "Choose an entry" }).click();
  await userEvent.keyboard("Z");
  await expect.element(page.getByRole("option", { name: "In a new tab, since “Biography” has to be filled in as well." })).toBeVisible();
});

it("offers nothing to those who may not create", async () => {
  await draw({ permissions: [] });
  await page.getByRole("button", { name: "Choose an entry" }).click();
  await userEvent.keyboard("Zoe");
  await expect.poll(options).toEqual(["Graceen"]);
});

it("says that a collection was deleted, keeps what referred to it, and can be rid of it", async () => {
  const seen = await draw({ value: "01M8GG5VSAHNB9F5KXC295W85M", collection: "gone" });
  await expect.element(page.getByText("This refers to the collection gone, which does not exist any more.")).toBeVisible();
  await expect.element(page.getByText("01M8GG5VSAHNB9F5KXC295W85M", { exact: true })).toBeVisible();
  expect([page.getByRole("link").elements(), page.getByRole("button", { name: /^Choose/ }).elements()]).toEqual([[], []]);
  expect(seen.value).toBe("01M8GG5VSAHNB9F5KXC295W85M");
  await page.getByRole("button", { name: "Remove 01M8GG5VSAHNB9F5KXC295W85M" }).click();
  expect(seen.value).toBeNull();
});
