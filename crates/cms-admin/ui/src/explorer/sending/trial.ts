// A token to try with: one that may less than whoever is signed in, for an hour at most. It is in the memory of this page alone, and is revoked when the
// explorer is left. What this browser keeps is only which ones there were, so that those of a tab that crashed are revoked when the explorer is opened next.

import { useSyncExternalStore } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { Scope } from "~/api/types";
import { held, hold } from "~/lib/held";
import { prefix, requestHeader } from "~/lib/site";

export interface Trial {
  id: string;
  token: string;
  scopes: Scope[];
  /** When it ends, in milliseconds. */
  ends: number;
}

/** An hour, less what the clocks of browser and server may differ by, in milliseconds. */
const LASTS = 59 * 60_000;
const KEY = "cms-explorer-tokens";

let trial: Trial | undefined;
let release: () => void = () => undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: Trial | undefined): void {
  trial = next;
  listeners.forEach((listener) => listener());
}

export function useTrial(): Trial | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => trial,
  );
}

/** Makes a token; it takes the place of one that there was. */
export async function beginTrial(name: string, scopes: Scope[]): Promise<void> {
  await endTrial();
  const ends = Date.now() + LASTS;
  const { token, info } = await answer(api.POST("/admin/api-tokens", { body: { name, scopes, expiresAt: new Date(ends).toISOString() } }));
  note((ids) => [...ids, info.id]);
  release = hold(nameOf(info.id));
  timer = setTimeout(drop, LASTS);
  change({ id: info.id, token, scopes, ends });
}

/** Lets go of the token here. */
function drop(): void {
  clearTimeout(timer);
  release();
  change(undefined);
}

/** Revokes the token, if there is one. What cannot be reached now is revoked when the explorer is opened next, and ends by itself. */
export async function endTrial(): Promise<void> {
  const ended = trial;
  if (!ended) return;
  drop();
  await revoke(ended.id);
}

/** The same while the page goes away: the browser sends it on. */
export function endTrialAtOnce(): void {
  const ended = trial;
  if (!ended) return;
  drop();
  void fetch(`${prefix}/api/admin/api-tokens/${encodeURIComponent(ended.id)}`, { method: "DELETE", headers: { [requestHeader]: "1" }, keepalive: true }).catch(() => undefined);
}

/** The token turned out to be no longer good. */
export function loseTrial(): void {
  const lost = trial;
  if (!lost) return;
  drop();
  note((ids) => ids.filter((id) => id !== lost.id));
}

/** Revokes what tabs of this browser left behind. Those that a tab still holds are left alone. */
export async function sweep(): Promise<void> {
  const names = await held();
  // Without locks nobody knows whether a tab still uses one: they end by themselves.
  if (!names) return;
  const left = noted().filter((id) => id !== trial?.id && !names.has(nameOf(id)));
  await Promise.all(left.map(revoke));
}

async function revoke(id: string): Promise<void> {
  try {
    await answer(api.DELETE("/admin/api-tokens/{id}", { params: { path: { id } } }));
  } catch (error) {
    // One that is gone, or somebody else's who used this browser, is none to revoke again.
    if (!isCode(error, "NOT_FOUND", "INSUFFICIENT_PERMISSIONS")) return;
  }
  note((ids) => ids.filter((other) => other !== id));
}

function noted(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function note(next: (ids: string[]) => string[]): void {
  try {
    const ids = next(noted());
    if (ids.length > 0) localStorage.setItem(KEY, JSON.stringify(ids));
    else localStorage.removeItem(KEY);
  } catch {
    // It then ends by itself.
  }
}

const nameOf = (id: string) => `cms-explorer-token ${id}`;
