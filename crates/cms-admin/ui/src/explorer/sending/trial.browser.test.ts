import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { hold } from "~/lib/held";

import { attend, beginTrial, endTrial } from "./trial";

// What the server writes into the page.
vi.hoisted(() => document.head.insertAdjacentHTML("beforeend", '<meta name="cms-prefix" content="/_cms"><meta name="cms-header" content="x-cms-request">'));

const USER = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const KEY = "cms-explorer-tokens";

/** What the server was asked to revoke. */
let revoked: string[] = [];
let answer: () => Promise<void> = () => Promise.resolve();

beforeEach(() => {
  revoked = [];
  answer = () => Promise.resolve();
  localStorage.removeItem(KEY);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { method, url } = new Request(asked);
    if (method === "DELETE") revoked.push(url.slice(url.lastIndexOf("/") + 1));
    else await answer();
    const data = method === "DELETE" ? {} : { token: "cms_pat_secret", info: { id: "made", userId: USER } };
    return Response.json({ success: true, data });
  });
});

afterEach(() => vi.restoreAllMocks());

const noted = () => localStorage.getItem(KEY) ?? "";
const later = Date.now() + 60_000;

it("keeps no token where it could be read, and revokes it when the explorer is left", async () => {
  const leave = attend(USER);
  await beginTrial("API explorer", ["content:read"]);
  expect(noted()).toContain("made");
  expect(JSON.stringify([localStorage, sessionStorage])).not.toContain("cms_pat_secret");
  await leave();
  expect(revoked).toEqual(["made"]);
  expect(noted()).toBe("");
});

it("revokes a token that was made while the explorer was left", async () => {
  const leave = attend(USER);
  let made: () => void = () => undefined;
  answer = () => new Promise((resolve) => (made = resolve));
  const making = beginTrial("API explorer", ["content:read"]);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  await leave();
  made();
  await making;
  expect(revoked).toEqual(["made"]);
});

it("revokes what a crash left of a user, and leaves alone what another tab holds and what others left", async () => {
  const notes = [
    { id: "left", user: USER, ends: later },
    { id: "held", user: USER, ends: later },
    { id: "others", user: "somebody", ends: later },
    { id: "over", user: USER, ends: 0 },
  ];
  localStorage.setItem(KEY, JSON.stringify(notes));
  const release = hold("cms-explorer-token held");
  const leave = attend(USER);
  await expect.poll(() => revoked).toEqual(["left"]);
  await expect.poll(noted).not.toContain("left");
  for (const id of ["held", "others"]) expect(noted()).toContain(id);
  expect(noted()).not.toContain("over");
  release();
  await leave();
});

it("has no trouble with what somebody else wrote there", async () => {
  for (const text of ["{", "{}", "[1, null]", "null"]) {
    localStorage.setItem(KEY, text);
    await attend(USER)();
  }
  await endTrial();
  expect(revoked).toEqual([]);
});
