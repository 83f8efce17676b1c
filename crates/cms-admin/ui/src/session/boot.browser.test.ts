// What is asked for before the application is there, by the script of the page itself.

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import script from "../boot.js?raw";

import { pretend } from "~/testing/server";
import { freshQueries } from "~/testing/render";

import { me } from "./session";

vi.mock("~/lib/site", async (original) => ({ ...(await original<object>()), requestHeader: "x-request" }));

const frames: HTMLIFrameElement[] = [];
beforeEach(() => localStorage.clear());
afterEach(() => {
  frames.splice(0).forEach((frame) => frame.remove());
  vi.restoreAllMocks();
});

/** What a page asks for that is opened now. */
async function askedFor(): Promise<string[]> {
  const frame = document.createElement("iframe");
  frame.srcdoc = `<meta name="cms-prefix" content="/_cms"><meta name="cms-header" content="x-request">
    <script>window.asked = []; window.fetch = (path) => (asked.push(path), new Promise(() => undefined));</script><script>${script}</script>`;
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  document.body.append(frame);
  frames.push(frame);
  await loaded;
  return (frame.contentWindow as Window & { asked?: string[] }).asked ?? [];
}

const signedIn = (permissions: string[]) => {
  pretend(({ path }) => (path === "/auth/me" ? { id: "me", permissions } : undefined));
  return freshQueries().query(me);
};

it("collections are asked for at once by whoever may read drafts, and by nobody else", async () => {
  expect(await askedFor()).toEqual(["/_cms/api/auth/me", "/_cms/api/auth/mode"]);
  await signedIn(["content:read", "content:read_drafts"]);
  expect(await askedFor()).toEqual(["/_cms/api/auth/me", "/_cms/api/auth/mode", "/_cms/api/models"]);
  await signedIn(["content:read"]);
  expect(await askedFor()).toEqual(["/_cms/api/auth/me", "/_cms/api/auth/mode"]);
});
