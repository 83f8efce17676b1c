import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { Collection, ContentField } from "~/api/types";
import { show } from "~/testing/render";

import { RetypeDialog } from "./RetypeDialog";
import { workOn, type Form, type Work } from "./retyped";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const FIELD = {
  id: "f1", slug: "constructor", label: "Price", type: "string", required: false, unique: false, indexed: false, searchable: false, translatable: true, defaultValue: null, validation: null, options: null,
  formerTypes: [], formerSlugs: [], _rev: "1",
} as unknown as ContentField;
const COLLECTION = { slug: "posts", label: "Posts", _rev: "1", titleField: null, dateField: null, admin: null, indexes: [], fields: [FIELD] } as unknown as Collection;
const PAGE = { entries: 2000, same: 0, converted: 1, aside: 0, dangling: 0, danglingExamples: [], convertedExamples: [{ id: "e1", locale: "en", title: "Loom", from: '" 12.50"', to: "12.5" }], asideExamples: [], needsConvert: true };

type Body = Record<string, unknown>;
type Answer = { status?: number; data?: object; error?: object };

/** A server that answers as a test says, and what it was asked. */
class Server {
  field = FIELD;
  rev = 1;
  total = 12_000;
  readonly checks: { body: Body; signal: AbortSignal }[] = [];
  readonly changes: Body[] = [];
  check: (body: Body) => Answer | Promise<Answer> = () => ({ data: { ...PAGE, entries: 3, converted: 1, same: 1 } });
  change: (body: Body) => Answer | undefined = () => undefined;

  constructor() {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
      const { status = 200, data, error } = await this.answer(request as Request);
      return new Response(JSON.stringify(error ? { error } : { data }), { status, headers: { "content-type": "application/json" } });
    });
  }

  get collection() {
    return { ...COLLECTION, _rev: String(this.rev), fields: [{ ...this.field, _rev: String(this.rev) }] };
  }

  async answer(request: Request): Promise<Answer> {
    const path = new URL(request.url).pathname;
    if (path.endsWith("/check-type")) {
      const body = (await request.clone().json()) as Body;
      this.checks.push({ body, signal: request.signal });
      return this.check(body);
    }
    if (request.method === "PUT") {
      const { _rev, convert, ...change } = (await request.clone().json()) as Body;
      this.changes.push({ _rev, convert, ...change });
      if (_rev !== String(this.rev)) return { status: 409, error: { code: "CONFLICT", message: "stale" } };
      const refused = this.change({ convert, ...change });
      if (refused) return refused;
      this.rev += 1;
      this.field = { ...this.field, ...change };
      return { data: { item: { ...this.field, _rev: String(this.rev) } } };
    }
    if (path.endsWith("/models/posts")) return { data: { item: this.collection } };
    if (path.endsWith("/models")) return { data: { items: [COLLECTION, { ...COLLECTION, slug: "authors", label: "Authors" }] } };
    if (path.endsWith("/admin/audit")) return { data: { items: [{ at: "2026-01-01", resource: { id: "posts.constructor" }, actor: { name: "Grace" } }] } };
    if (path.endsWith("/content/posts/e9")) return { data: { item: { id: "e9", data: {} } } };
    return { data: { items: [], total: this.total, totalCapped: false } };
  }
}

const onClose = vi.fn();

function Shown({ start }: { start: Form | undefined }) {
  const [work, setWork] = useState<Work | undefined>(() => start && workOn({ collection: COLLECTION, field: FIELD }, start));
  return <RetypeDialog collection={COLLECTION} field={FIELD} work={work} onWork={setWork} onClose={onClose} />;
}

const open = (start?: Form) => show(<Shown start={start} />);
const button = (name: string) => page.getByRole("button", { name, exact: true });
/** The newest: news of earlier tests wait as long as a dialog is open. */
const undo = () => button("Undo").last();
const never = () => new Promise<Answer>(() => undefined);

let server: Server;

beforeEach(async () => {
  onClose.mockClear();
  await page.viewport(1000, 900);
  server = new Server();
});

afterEach(() => vi.restoreAllMocks());

it("looks at the entries once a type is chosen, and changes it with a conversion where values need one", async () => {
  await open();
  await page.getByRole("button", { name: /^Number/ }).click();
  await expect.element(page.getByText("1 entry would show another value:")).toBeVisible();
  await expect.element(page.getByText("1 entry keeps its value as it is.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Loom" })).toHaveAttribute("href", "/content/posts/e1");
  await expect.element(page.getByText("Nothing is lost")).toBeVisible();
  expect(server.checks.map(({ body }) => body)).toEqual([{ type: "number", defaultValue: null, unique: false, searchable: false, indexed: false }]);
  await button("Change type").click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.changes).toEqual([{ _rev: "1", convert: true, type: "number" }]);
});

it("shows of rich text the words, and its JSON to whoever opens it", async () => {
  const from = JSON.stringify([{ _type: "block", _key: "k", style: "normal", markDefs: [], children: [{ _type: "span", _key: "s", text: "On looms", marks: [] }] }]);
  server.check = () => ({ data: { ...PAGE, entries: 1, convertedExamples: [{ id: "e1", locale: "en", title: "Loom", from, to: '"On looms"' }] } });
  await open({ type: "text", allowMultiple: false });
  const words = page.getByText("On looms", { exact: true });
  await expect.element(words).toBeVisible();
  await expect.element(page.getByText(from)).not.toBeVisible();
  await words.click();
  await expect.element(page.getByText(from)).toBeVisible();
});

it("sends no conversion where every value stays", async () => {
  server.check = () => ({ data: { ...PAGE, entries: 3, converted: 0, same: 3, convertedExamples: [], needsConvert: false } });
  await open({ type: "text", allowMultiple: false });
  await expect.element(page.getByText("3 entries keep their values as they are.")).toBeVisible();
  await button("Change type").click();
  await vi.waitFor(() => expect(server.changes).toEqual([{ _rev: "1", convert: undefined, type: "text" }]));
});

it("says in a sentence that there is nothing to convert", async () => {
  server.total = 0;
  server.check = () => ({ data: { ...PAGE, entries: 0, converted: 0, convertedExamples: [], needsConvert: false } });
  await open({ type: "number", allowMultiple: false });
  await expect.element(page.getByText("There are no entries, so there is nothing to convert.")).toBeVisible();
  await expect.element(button("Change type")).toBeEnabled();
});

it("goes through all pages, tells how far it is, and can be stopped and gone on with", async () => {
  server.check = ({ cursor }) => (cursor === "c2" ? never() : { data: { ...PAGE, convertedExamples: [], nextCursor: cursor === "c1" ? "c2" : "c1" } });
  await open({ type: "number", allowMultiple: false });
  await expect.element(page.getByText("4,000 of about 12,000 entries looked at")).toBeVisible();
  await expect.element(button("Change type")).toBeDisabled();
  await button("Stop looking").click();
  expect(server.checks.at(-1)?.signal.aborted).toBe(true);
  await expect.element(page.getByText("Only 4,000 entries were looked at.")).toBeVisible();
  await expect.element(page.getByText("Entries that were not looked at may have values that change")).toBeVisible();
  await expect.element(button("Change type anyway")).toBeEnabled();
  server.check = () => ({ data: { ...PAGE, entries: 5 } });
  await button("Go on looking").click();
  await expect.element(page.getByText("All 4,005 entries were looked at")).toBeVisible();
  expect(server.checks.map(({ body }) => body.cursor)).toEqual([undefined, "c1", "c2", "c2"]);
});

it("changes without a look at all only with a conversion", async () => {
  server.check = never;
  await open({ type: "number", allowMultiple: false });
  await button("Stop looking").click();
  await expect.element(page.getByText("No entry was looked at.")).toBeVisible();
  await button("Change type anyway").click();
  await vi.waitFor(() => expect(server.changes).toEqual([{ _rev: "1", convert: true, type: "number" }]));
});

it("ends the look for a choice that is another one by now", async () => {
  server.check = never;
  await open({ type: "number", allowMultiple: false });
  await vi.waitFor(() => expect(server.checks).toHaveLength(1));
  await button("Other type").click();
  expect(server.checks[0]?.signal.aborted).toBe(true);
  server.check = () => ({ data: { ...PAGE, entries: 1 } });
  await page.getByRole("button", { name: /^Yes or no/ }).click();
  await expect.element(page.getByText("The only entry was looked at.")).toBeVisible();
  expect(server.checks[1]?.body).toEqual({ type: "boolean", defaultValue: null, unique: false, searchable: false, indexed: false });
});

it("asks for what a type needs before it looks", async () => {
  await open({ type: "reference", allowMultiple: false });
  await expect.element(page.getByText("Fill in what the new type needs")).toBeVisible();
  await expect.element(button("Change type")).toBeDisabled();
  await userEvent.selectOptions(page.getByLabelText("Refers to"), "Authors");
  await userEvent.selectOptions(page.getByLabelText("How many"), "Several entries, in an order");
  await expect.element(page.getByText("entries were looked at", { exact: false })).toBeVisible();
  expect(server.checks.at(-1)?.body).toEqual({ type: "reference", defaultValue: null, unique: false, searchable: false, indexed: false, options: { collection: "authors", allowMultiple: true } });
});

it("says why it could not look, and looks on from there", async () => {
  server.check = () => ({ status: 500, error: { code: "INTERNAL_ERROR", message: "broken" } });
  await open({ type: "number", allowMultiple: false });
  await expect.element(page.getByRole("alert")).toHaveTextContent("Something went wrong on the server.");
  await expect.element(button("Change type anyway")).toBeEnabled();
  server.check = () => ({ data: PAGE });
  await button("Try again").click();
  await expect.element(page.getByText("All 2,000 entries were looked at")).toBeVisible();
});

it("does not write over what somebody else did to the field, and succeeds after another look", async () => {
  await open({ type: "number", allowMultiple: false });
  await expect.element(button("Change type")).toBeEnabled();
  server.rev = 7;
  server.field = { ...FIELD, validation: { maxLength: 3 } };
  await button("Change type").click();
  await expect.element(page.getByText("Nothing was changed: Grace changed this field in the meantime.")).toBeVisible();
  await button("Look again").click();
  await expect.element(page.getByText("are dropped: Most characters.")).toBeVisible();
  await expect.element(button("Change type")).toBeEnabled();
  await button("Change type").click();
  await vi.waitFor(() => expect(server.changes.at(-1)).toEqual({ _rev: "7", convert: true, type: "number", validation: null }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("changes though somebody else changed another part of the collection", async () => {
  await open({ type: "number", allowMultiple: false });
  await expect.element(button("Change type")).toBeEnabled();
  server.rev = 7;
  await button("Change type").click();
  await vi.waitFor(() => expect(server.changes.map(({ _rev }) => _rev)).toEqual(["1", "7"]));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("offers to leave values that break a rule, which the look does not know", async () => {
  server.check = () => ({ data: { ...PAGE, entries: 1, converted: 0, same: 1, convertedExamples: [], needsConvert: false } });
  server.change = ({ convert }) => (convert ? undefined : { status: 409, error: { code: "FIELD_HAS_VALUES", message: "no", details: { entries: [{ id: "e9", reason: "is not one of the options" }] } } });
  await open({ type: "select", allowMultiple: false });
  await expect.element(button("Change type")).toBeEnabled();
  await button("Change type").click();
  await expect.element(page.getByText("some values break rules of the new type")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "posts/e9" })).toBeVisible();
  await button("Change type anyway").click();
  await vi.waitFor(() => expect(server.changes.map(({ convert }) => convert)).toEqual([undefined, true]));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("takes the change back", async () => {
  await open({ type: "number", allowMultiple: false });
  await expect.element(button("Change type")).toBeEnabled();
  await button("Change type").click();
  await expect.element(page.getByText("The type of “Price” is Number now.").first()).toBeVisible();
  await undo().click();
  await expect.element(page.getByText("The type of “Price” is Short text again.").first()).toBeVisible();
  expect(server.changes.at(-1)).toEqual({ _rev: "2", convert: true, type: "string" });
});

it("leaves the type where somebody else changed the field since", async () => {
  await open({ type: "number", allowMultiple: false });
  await expect.element(button("Change type")).toBeEnabled();
  await button("Change type").click();
  await expect.element(undo()).toBeVisible();
  server.rev = 9;
  server.field = { ...server.field, indexed: true };
  await undo().click();
  await expect.element(page.getByText("Grace changed the field “Price” in the meantime, so its type stays.").first()).toBeVisible();
  expect(server.field.type).toBe("number");
});
