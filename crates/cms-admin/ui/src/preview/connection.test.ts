import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ANSWER, Connection, LOAD, type Standing } from "./connection";
import type { Entry } from "./entry";
import { readMessage, sealed, VERSION } from "./messages";

const ORIGIN = "https://site.example";
const HOME = `${ORIGIN}/read/looms`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface From {
  origin?: string;
  source?: unknown;
}

/** A frame, what it was sent, and what a page in it says. */
function framed(entry: Partial<Entry> = { data: { title: "On looms" } }) {
  const sent: { message: ReturnType<typeof sealed>; to: string }[] = [];
  const frame = { postMessage: (message: unknown, to: unknown) => void sent.push({ message: message as ReturnType<typeof sealed>, to: to as string }) };
  const standings: Standing[] = [];
  let saved = true;
  const connection = new Connection({
    origin: ORIGIN,
    frame: () => frame,
    look: () => ({ entry: entry as Entry, saved }),
    onStanding: (standing) => standings.push(standing),
  });
  const hear = (data: unknown, { origin = ORIGIN, source = frame }: From = {}) => connection.hear({ data, origin, source: source as Window });
  const say = (said: object, from?: From) => hear({ cms: "preview", version: VERSION, ...said }, from);
  return {
    connection,
    sent,
    hear,
    say,
    ready: (url = HOME, page = 1) => say({ type: "ready", url, page }),
    standing: () => standings.at(-1) ?? { phase: "loading" },
    setSaved: (isSaved: boolean) => (saved = isSaved),
    entries: () => sent.filter(({ message }) => message.type === "entry"),
  };
}

it("tells a page everything as soon as it is there, at the configured origin alone", () => {
  const { ready, sent, standing } = framed();
  ready();
  expect(standing()).toEqual({ phase: "live" });
  vi.advanceTimersByTime(0);
  expect(sent).toEqual([{ to: ORIGIN, message: { cms: "preview", version: VERSION, type: "entry", number: 1, whole: true, entry: { data: { title: "On looms" } }, parts: {}, saved: true } }]);
});

it("believes nobody but the frame's own window", () => {
  const { say, sent, standing } = framed();
  say({ type: "ready", url: HOME, page: 1 }, { source: {} });
  vi.advanceTimersByTime(0);
  expect([standing(), sent]).toEqual([{ phase: "loading" }, []]);
});

it("tells nothing to a page of another origin, and says which one it was", () => {
  const { say, sent, standing } = framed();
  say({ type: "ready", url: "https://www.site.example/read/looms", page: 1 }, { origin: "https://www.site.example" });
  vi.advanceTimersByTime(0);
  expect(standing()).toEqual({ phase: "silent", reason: { kind: "origin", origin: "https://www.site.example" } });
  expect(sent).toEqual([]);
});

it("is told of another version of the script", () => {
  const { hear, standing } = framed();
  hear({ cms: "preview", version: 2, type: "ready" });
  expect(standing()).toEqual({ phase: "silent", reason: { kind: "version", version: 2 } });
});

it.each([
  ["a page that is loaded and never answers", true, ANSWER],
  ["a page that is never loaded", false, LOAD],
])("gives %s up after a while", (_, isLoaded, patience) => {
  const { connection, standing } = framed();
  if (isLoaded) connection.loaded();
  vi.advanceTimersByTime(patience - 1);
  expect(standing()).toEqual({ phase: "loading" });
  vi.advanceTimersByTime(1);
  expect(standing()).toEqual({ phase: "silent", reason: { kind: "unknown" } });
});

it("goes on with a page that answers late", () => {
  const { connection, ready, standing } = framed();
  connection.loaded();
  vi.advanceTimersByTime(ANSWER);
  ready();
  expect(standing()).toEqual({ phase: "live" });
  vi.advanceTimersByTime(LOAD);
  expect(standing()).toEqual({ phase: "live" });
});

it("does not begin anew when the page that answered is also loaded", () => {
  const { connection, ready, sent, standing, entries } = framed();
  ready();
  connection.loaded();
  expect(sent.at(-1)?.message.type).toBe("hello");
  ready();
  vi.advanceTimersByTime(LOAD);
  expect(standing()).toEqual({ phase: "live" });
  expect(entries()).toHaveLength(1);
});

it("begins anew with the same page when it was loaded again", () => {
  const { connection, ready, standing, entries } = framed();
  ready(HOME, 1);
  vi.advanceTimersByTime(0);
  ready(`${HOME}/?_preview=secret#part`, 2);
  connection.loaded();
  ready(HOME, 2);
  vi.advanceTimersByTime(LOAD);
  expect(standing()).toEqual({ phase: "live" });
  expect(entries().map(({ message }) => "whole" in message && message.whole)).toEqual([true, true]);
});

it("takes the address that the site leads to for that of the entry", () => {
  const { ready, standing, say } = framed();
  ready(`${ORIGIN}/en/read/looms/`);
  say({ type: "moved", url: `${ORIGIN}/en/read/looms-and-weft`, replaced: true });
  ready(`${ORIGIN}/en/read/looms-and-weft`, 2);
  expect(standing()).toEqual({ phase: "live" });
});

it.each<[string, (page: ReturnType<typeof framed>) => void, string | undefined]>([
  ["with the script", ({ say, ready }) => {
    say({ type: "link", url: `${ORIGIN}/about` });
    ready(`${ORIGIN}/about`, 2);
  }, `${ORIGIN}/about`],
  ["without the script", ({ say, connection }) => {
    say({ type: "link", url: `${ORIGIN}/about` });
    connection.loaded();
  }, `${ORIGIN}/about`],
  ["that nobody can tell", ({ connection }) => connection.loaded(), undefined],
  ["without loading anything", ({ say }) => say({ type: "moved", url: `${ORIGIN}/about`, replaced: false }), `${ORIGIN}/about`],
])("says that a link led to another page %s, and tells it nothing", (_, go, url) => {
  const page = framed();
  page.ready();
  vi.advanceTimersByTime(0);
  go(page);
  vi.advanceTimersByTime(ANSWER);
  expect(page.standing()).toEqual({ phase: "elsewhere", url });
  page.setSaved(false);
  page.connection.changed();
  vi.advanceTimersByTime(LOAD);
  expect(page.entries()).toHaveLength(1);
  page.ready(HOME, 3);
  vi.advanceTimersByTime(0);
  expect(page.standing()).toEqual({ phase: "live" });
  expect(page.entries()).toHaveLength(2);
});

it("does not take a link that led nowhere for another page", () => {
  const { ready, say, standing } = framed();
  ready();
  say({ type: "link", url: `${ORIGIN}/about` });
  vi.advanceTimersByTime(LOAD);
  expect(standing()).toEqual({ phase: "live" });
});

it("says that the policy kept the page from going where it was led", () => {
  const { connection, standing } = framed();
  connection.refused();
  expect(standing()).toEqual({ phase: "silent", reason: { kind: "refused" } });
});

it("says nothing any more once it is closed", () => {
  const { connection, ready, sent, setSaved } = framed();
  ready();
  connection.close();
  setSaved(false);
  connection.changed();
  vi.advanceTimersByTime(LOAD);
  expect(sent).toEqual([]);
});

it.each([undefined, null, "ready", 7, [], {}, { cms: "other" }, { cms: "preview" }, { cms: "preview", version: "1", type: "ready" }, { cms: "preview", version: VERSION, type: "ready", url: HOME }, { cms: "preview", version: VERSION, type: "shown" }, { cms: "preview", version: VERSION, type: "entry", url: HOME }])(
  "leaves %j alone, which is no message",
  (data) => {
    expect(readMessage(data)).toBeUndefined();
  },
);
