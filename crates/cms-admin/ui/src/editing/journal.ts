// What is written and not on the server yet, kept in this browser: it outlives the tab, the browser and the network.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";

import { held, hold } from "~/lib/held";

import { applied, differenceOf, type Difference } from "./difference";
import type { Journal, Note, Stored } from "./draft";

/** What was kept of an entry by a tab. */
export interface Kept {
  /** Which entry, of whom: others who use this browser have notes of their own. */
  entry: string;
  tab: string;
  /** When it was last written, in milliseconds. */
  at: number;
  note: Note;
}

/** A note as it is written several times a second: without what the server had, which is written once. */
interface Written extends Omit<Kept, "note"> {
  sent: Difference | undefined;
  values: Difference;
}

interface Schema extends DBSchema {
  notes: { key: [string, string]; value: Written; indexes: { entry: string; at: number } };
  bases: { key: [string, string]; value: { entry: string; tab: string; base: Stored } };
}

/** How long a note waits for whoever wrote it: as long as a holiday, and no longer, since it is on a disk that others may read. */
export const LASTS = 60 * 86_400_000;
/** How long after its last word a tab counts as open where a browser cannot tell. */
const RECENT = 60_000;

let database: Promise<IDBPDatabase<Schema>> | undefined;

function opened(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>("cms-drafts", 2, {
    upgrade(db) {
      // Those of no release, which kept what the server had in each note.
      for (const name of db.objectStoreNames) db.deleteObjectStore(name);
      const store = db.createObjectStore("notes", { keyPath: ["entry", "tab"] });
      store.createIndex("entry", "entry");
      store.createIndex("at", "at");
      db.createObjectStore("bases", { keyPath: ["entry", "tab"] });
    },
    // Another tab has a newer version of the application, and needs this one to let go.
    blocking: () => {
      void database?.then((db) => db.close());
      database = undefined;
    },
    terminated: () => (database = undefined),
  });
  // Where it failed once, it may work the next time.
  database.catch(() => (database = undefined));
  return database;
}

/** Notes and what they were written upon, in one transaction: one is nothing without the other. */
async function stores<Mode extends "readonly" | "readwrite">(mode: Mode) {
  const transaction = (await opened()).transaction(["notes", "bases"], mode);
  return { notes: transaction.objectStore("notes"), bases: transaction.objectStore("bases"), done: transaction.done };
}

/** The journal of an entry in this tab. It counts as open until `close` is called or the tab is gone. */
export function openJournal(entry: string): Journal & { close: () => void } {
  const tab = crypto.randomUUID();
  const close = hold(nameOf(entry, tab));
  let known: Stored | undefined;
  return {
    close,
    async write({ base, sent, values }) {
      const { notes, bases, done } = await stores("readwrite");
      const kept = notes.put({ entry, tab, at: Date.now(), sent: sent && differenceOf(sent, base.values), values: differenceOf(values, base.values) });
      const based = base === known ? undefined : bases.put({ entry, tab, base });
      // Transactions are done in the order of their beginning, so it is known from here on.
      known = base;
      try {
        await Promise.all([kept, based, done]);
      } catch (problem) {
        known = undefined;
        throw problem;
      }
    },
    async clear() {
      const kept = await stores("readwrite");
      known = undefined;
      await erase(kept, [entry, tab]);
      await kept.done;
    },
  };
}

/** What was kept of an entry by tabs that are gone, the newest first. */
export async function abandoned(entry: string): Promise<Kept[]> {
  return left(IDBKeyRange.only(entry));
}

/** What was kept by tabs that are gone of all entries whose name begins with something, the newest first. */
export async function abandonedIn(beginning: string): Promise<Kept[]> {
  return left(IDBKeyRange.bound(beginning, `${beginning}\u{10FFFF}`));
}

async function left(entries: IDBKeyRange): Promise<Kept[]> {
  const { notes, bases } = await stores("readonly");
  const written = await notes.index("entry").getAll(entries);
  const kept = await Promise.all(
    written.map(async ({ entry, tab, at, sent, values }): Promise<Kept[]> => {
      const { base } = (await bases.get([entry, tab])) ?? {};
      return base ? [{ entry, tab, at, note: { base, sent: sent && applied(sent, base.values), values: applied(values, base.values) } }] : [];
    }),
  );
  const open = await held();
  const isOpen = ({ entry, tab, at }: Kept) => (open ? open.has(nameOf(entry, tab)) : Date.now() - at < RECENT);
  return kept.flat().filter((one) => !isOpen(one)).sort((one, other) => other.at - one.at);
}

/** Gives up what a tab kept. */
export async function forget({ entry, tab }: Pick<Kept, "entry" | "tab">): Promise<void> {
  const kept = await stores("readwrite");
  await erase(kept, [entry, tab]);
  await kept.done;
}

/** Removes what nobody came back for. */
export async function prune(now = Date.now()): Promise<void> {
  const kept = await stores("readwrite");
  for (const key of await kept.notes.index("at").getAllKeys(IDBKeyRange.upperBound(now - LASTS))) await erase(kept, key);
  await kept.done;
}

/** A note and what it was written upon go together. */
async function erase({ notes, bases }: Awaited<ReturnType<typeof stores<"readwrite">>>, key: [string, string]): Promise<void> {
  await Promise.all([notes.delete(key), bases.delete(key)]);
}

function nameOf(entry: string, tab: string): string {
  return `cms-draft ${entry} ${tab}`;
}
