// What was written in an entry that is gone, on its way into a new one.

import type { Values } from "~/editing/merge";

import type { EntrySession } from "./session";
import { PUBLISHED_AT, SLUG } from "./values";

interface Handed {
  collection: string;
  values: Values;
  /** Gives up what was kept of it. */
  forget: () => Promise<unknown>;
}

let handed: Handed | undefined;

export function hand(given: Handed): void {
  handed = given;
}

/** Begins a new entry with what was handed over, which is given up once it is kept there. */
export async function takeHanded(session: EntrySession): Promise<void> {
  if (handed?.collection !== session.collection.slug) return;
  const { values, forget } = handed;
  handed = undefined;
  // Its address and date are its own.
  session.change(Object.fromEntries(Object.entries(values).filter(([name]) => name !== SLUG && name !== PUBLISHED_AT)));
  await session.draft.keep();
  if (session.journal.works.get()) await forget();
}
