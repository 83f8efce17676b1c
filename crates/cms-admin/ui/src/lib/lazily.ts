// Code that is fetched when it is needed. While the server is away it is waited for, and comes when the server is back: a dialog opens late instead of taking the
// page along. Code that a server which answers does not have is that of an older version: the page begins again with the newest.

import { lazy, type ComponentType, type LazyExoticComponent } from "react";

import { pause } from "~/lib/pause";
import { home } from "~/lib/site";

/** The time between two tries, in milliseconds: short for somebody who waits, and one request of each open page for a server that comes back. */
const PAUSE = 5_000;
/** How long an answer is waited for, in milliseconds: a network that swallows requests says no more than this. */
const PATIENCE = 10_000;
/** How long after a reload another one does not help, in milliseconds. */
const RELOADED = 20_000;
/** When the page was reloaded, in the tab's memory. */
const NOTE = "cms-reloaded";

let asking: Promise<boolean> | undefined;

/** Whether the server answers. Those who ask at the same time share the answer. */
export function answers(): Promise<boolean> {
  asking ??= fetch(home, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })
    .then(
      ({ ok }) => ok,
      () => false,
    )
    .finally(() => (asking = undefined));
  return asking;
}

/** Fetches something, again and again while the server is away. */
export async function patiently<T>(fetched: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await fetched();
    } catch (error) {
      if (await answers()) throw error;
      await backOrSoon();
    }
  }
}

/** A component whose code comes when it is shown. */
// What a component takes is its own affair: `any` is what React says here, too.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function lazily<C extends ComponentType<any>>(fetched: () => Promise<C>): LazyExoticComponent<C> {
  return lazy(() => patiently(fetched).then((component) => ({ default: component })));
}

/** A few seconds, or until the browser is back on the network. */
function backOrSoon(): Promise<void> {
  const controller = new AbortController();
  const isBack = new Promise<void>((resolve) => addEventListener("online", () => resolve(), { signal: controller.signal }));
  return Promise.race([isBack, pause(PAUSE)]).finally(() => controller.abort());
}

/** What was thrown because code could not be fetched. */
const unfetched = new WeakSet();

/** Whether something was thrown because code could not be fetched. */
export function isUnfetched(error: unknown): boolean {
  return typeof error === "object" && error !== null && unfetched.has(error);
}

/** Looks after code that cannot be fetched. */
export function heedUnfetched(): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    unfetched.add(payload);
    // The router knows such failures by their first words, and reloads the page though nobody may answer.
    payload.message = `a part of this page could not be fetched: ${payload.message}`;
    void answers().then((isThere) => isThere && beginAgain());
  });
}

/** Has the page begin again, unless it just did. Says whether it does. */
export function beginAgain(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(NOTE) ?? 0) <= RELOADED) return false;
    sessionStorage.setItem(NOTE, String(Date.now()));
  } catch {
    // Without a note it might go on for ever.
    return false;
  }
  location.reload();
  return true;
}
