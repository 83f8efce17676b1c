import { afterEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import type { Group, Operation } from "./document/operations";
import type { Schema } from "./document/types";
import { OperationList } from "./OperationList";
import { OperationView } from "./OperationView";
import { Answer } from "./parts/Answer";
import { Prose } from "./parts/Prose";
import { SchemaTree } from "./parts/SchemaTree";
import { attend, beginTrial, endTrial } from "./sending/trial";

// The server writes it into its pages.
vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));
afterEach(() => vi.restoreAllMocks());

const NODE: Schema = { type: "object", required: ["value"], properties: { value: { type: "string", maxLength: 5 }, next: { $ref: "#/components/schemas/Node", description: "The one behind it." } } };
const ROOT = { components: { schemas: { Node: NODE } } };

it("opens a schema that has itself in it as far as somebody goes", async () => {
  await show(<SchemaTree root={ROOT} schema={{ $ref: "#/components/schemas/Node" }} label="Body" />);
  for (let deep = 0; deep < 5; deep++) await page.getByRole("button", { name: "Members of next", expanded: false }).click();
  expect(page.getByText("next", { exact: true }).all()).toHaveLength(6);
  await expect.element(page.getByText("required").first()).toBeVisible();
});

it("draws documentation as text, with its names, lists and paragraphs", async () => {
  await show(<Prose text={"Send `_rev` <b>along</b>.\n\nThen:\n- one\n- two\n  goes on"} />);
  await expect.element(page.getByText("<b>along</b>")).toBeVisible();
  expect(document.querySelector("code")?.textContent).toBe("_rev");
  expect([...document.querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual(["one", "two goes on"]);
});

/** As many operations as a large site has, some with names that objects have as well. */
const GROUPS: Group[] = ["constructor", "__proto__", "Content"].map((tag) => ({
  tag,
  about: undefined,
  isInternal: tag === "Content",
  operations: Array.from({ length: 200 }, (_, n) => ({
    id: `${tag}${n}`, method: "GET", path: `/${tag}/{id}/${n}`, tag, summary: `Öffne ${tag} ${n}`, description: "", who: "", proofs: [], parameters: [], body: undefined, responses: [], answer: "json", isInternal: tag === "Content", root: {},
  })),
}));

it("lists hundreds of operations at once, and goes through them by arrow keys", async () => {
  const from = performance.now();
  const { again } = await show(<OperationList groups={GROUPS} typed="" selected={undefined} />);
  expect(document.querySelectorAll("a")).toHaveLength(600);
  // Long for a machine that does other things as well; what is wrong takes many times as long.
  expect(performance.now() - from).toBeLessThan(5_000);
  await again(<OperationList groups={GROUPS} typed="OFFNE constructor 19" selected="constructor19" />);
  await expect.poll(() => document.querySelectorAll("a").length).toBe(12);
  await expect.element(page.getByRole("link").first()).toHaveAttribute("aria-current", "page");
  document.querySelector("a")?.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(document.activeElement?.textContent).toContain("constructor 119");
});

const answered = (text: string, type = "application/json") => {
  const body = new Blob([text], { type });
  return { status: 200, statusText: "OK", headers: [["x-request-id", "1"]] as [string, string][], milliseconds: 12.3, bytes: body.size, body, isTooLong: false };
};

/** What an editor shows, which is drawn in a shadow root. */
const shown = () => [...document.querySelectorAll("[data-code]")].map(({ shadowRoot }) => shadowRoot?.querySelector(".cm-content")?.textContent ?? "").join("");

it("shows an answer laid out with every digit, and how it went", async () => {
  await show(<Answer answered={answered('{"n":12345678901234567890}')} name="it" isSecret={false} />);
  await expect.poll(shown, { timeout: 10_000 }).toContain('"n": 12345678901234567890');
  await expect.element(page.getByText("200 OK")).toBeVisible();
  await expect.element(page.getByText("12 ms")).toBeVisible();
});

it("shows another answer in the place of one that was there", async () => {
  const { again } = await show(<Answer answered={answered('{"a":1}')} name="it" isSecret={false} />);
  await expect.poll(shown, { timeout: 10_000 }).toContain('"a": 1');
  await again(<Answer answered={answered('{"b":2}')} name="it" isSecret={false} />);
  await expect.poll(shown, { timeout: 10_000 }).toContain('"b": 2');
  expect(shown()).not.toContain('"a"');
});

it("says that a long answer is cut", async () => {
  await show(<Answer answered={answered(JSON.stringify(Array.from({ length: 50_000 }, (_, n) => n)))} name="it" isSecret={false} />);
  await expect.element(page.getByText("Only the beginning is shown")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Copy all" })).toBeVisible();
});

it("covers a secret until somebody wants to see it", async () => {
  await show(<Answer answered={answered('{"token":"hidden"}')} name="it" isSecret />);
  await expect.element(page.getByText("The response contains a secret")).toBeVisible();
  expect(document.body.textContent).not.toContain("hidden");
  await page.getByRole("button", { name: "Show response" }).click();
  await expect.poll(shown, { timeout: 10_000 }).toContain("hidden");
});

it("says of an answer as whom it was asked for once what is sent is sent as somebody else", async () => {
  const json = (data: object) => new Response(JSON.stringify({ data }), { headers: { "content-type": "application/json" } });
  let made = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((request) => {
    const { method } = new Request(request);
    return Promise.resolve(method === "POST" ? json({ token: `secret-${++made}`, info: { id: `t${made}`, userId: "me" } }) : json(method === "DELETE" ? {} : { seen: true }));
  });
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: "me", name: "Ada", email: "ada@example.com", permissions: [] } as never);
  const leave = attend("me");
  const operation: Operation = { id: "listModels", method: "GET", path: "/models", tag: "Models", summary: "List models", description: "", who: "", proofs: ["token"], parameters: [], body: undefined, responses: [], answer: "json", isInternal: false, root: {} };
  await show(<OperationView operation={operation} />, { queries });
  const response = page.getByRole("region", { name: "Response", exact: true });
  const send = () => page.getByRole("button", { name: "Send" }).click();
  await send();
  await expect.element(response.getByText("200")).toBeVisible();
  await expect.element(response).not.toHaveTextContent("This was sent");
  await beginTrial("one", []);
  await expect.element(response).toHaveTextContent("This was sent as you, without the token.");
  await send();
  await expect.element(response).not.toHaveTextContent("This was sent");
  await beginTrial("another", []);
  await expect.element(response).toHaveTextContent("This was sent with a token that you used before.");
  await endTrial();
  await expect.element(response).toHaveTextContent("This was sent with a token that you used before.");
  await leave();
});
