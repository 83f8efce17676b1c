// A token to try with: one that may less than whoever is signed in, for an hour at most. It is in the memory of this page alone, and is revoked when the
// explorer is left. What this browser keeps is only which ones there were, so that those of a tab that crashed are revoked when the explorer is opened next.

import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useSyncExternalStore } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { Scope } from "~/api/types";
import { toast } from "~/components/toast";
import { held, hold } from "~/lib/held";
import { prefix, requestHeader } from "~/lib/site";
import { beforeLeaving } from "~/session/leaving";

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
/** Whether the explorer is open. One that was left while its token was made has none. */
let isAttended = false;
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
  // Held first: another tab revokes what is noted and not held.
  release = hold(nameOf(info.id));
  note((notes) => [...notes, { id: info.id, user: info.userId, ends }]);
  if (!isAttended) {
    release();
    return revoke(info.id);
  }
  timer = setTimeout(loseTrial, LASTS);
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
function endTrialAtOnce(): void {
  const ended = trial;
  if (!ended) return;
  drop();
  void fetch(`${prefix}/api/admin/api-tokens/${encodeURIComponent(ended.id)}`, { method: "DELETE", headers: { [requestHeader]: "1" }, keepalive: true }).catch(() => undefined);
}

/** The token is over, or turned out to be no longer good. That is told: what is sent next is sent as somebody who may more. */
export function loseTrial(): void {
  if (!trial) return;
  void endTrial();
  toast.bad(i18n._(msg`The trial token is no longer valid. Requests are sent as you again.`));
}

/**
 * To be called when the explorer is opened by a user: revokes what a crash left. Answers with what is to be called when it is left. A token ends then, with the
 * page, and before a sign-out.
 */
export function attend(user: string): () => Promise<void> {
  isAttended = true;
  void sweep(user);
  const stay = beforeLeaving(endTrial);
  addEventListener("pagehide", endTrialAtOnce);
  return () => {
    isAttended = false;
    stay();
    removeEventListener("pagehide", endTrialAtOnce);
    return endTrial();
  };
}

/** Revokes what tabs of this browser left behind of a user's. Those that a tab still holds are left alone, and so are those of others, who do it themselves. */
async function sweep(user: string): Promise<void> {
  note((notes) => notes.filter(({ ends }) => ends > Date.now()));
  const own = noted().filter((note) => note.user === user && note.id !== trial?.id);
  const names = await held();
  // Without locks nobody knows whether a tab still uses one: they end by themselves.
  if (names) await Promise.all(own.filter(({ id }) => !names.has(nameOf(id))).map(({ id }) => revoke(id)));
}

async function revoke(id: string): Promise<void> {
  try {
    await answer(api.DELETE("/admin/api-tokens/{id}", { params: { path: { id } } }));
  } catch (error) {
    // One that is gone is none to revoke again.
    if (!isCode(error, "NOT_FOUND")) return;
  }
  forget(id);
}

/** What the browser keeps of a token. */
interface Note {
  id: string;
  user: string;
  ends: number;
}

function isNote(note: unknown): note is Note {
  return typeof note === "object" && note !== null && "id" in note && typeof note.id === "string" && "user" in note && "ends" in note && typeof note.ends === "number";
}

function noted(): Note[] {
  try {
    const notes: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch {
    return [];
  }
}

const forget = (id: string) => note((notes) => notes.filter((note) => note.id !== id));

function note(next: (notes: Note[]) => Note[]): void {
  try {
    const notes = next(noted());
    if (notes.length > 0) localStorage.setItem(KEY, JSON.stringify(notes));
    else localStorage.removeItem(KEY);
  } catch {
    // It then ends by itself.
  }
}

const nameOf = (id: string) => `cms-explorer-token ${id}`;
