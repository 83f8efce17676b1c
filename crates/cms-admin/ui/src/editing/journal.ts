// What is written and not on the server yet, kept in this browser: it outlives the tab, the browser and the network.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";

import type { Journal, Note } from "./draft";

/** What was kept of an entry by a tab. */
export interface Kept {
  /** Which entry, of whom: others who use this browser have notes of their own. */
  entry: string;
  tab: string;
  /** When it was last written, in milliseconds. */
  at: number;
  note: Note;
}

interface Schema extends DBSchema {
  notes: { key: [string, string]; value: Kept; indexes: { entry: string; at: number } };
}

/** How long a note waits for whoever wrote it: as long as a holiday, and no longer, since it is on a disk that others may read. */
export const LASTS = 60 * 86_400_000;
/** How long after its last word a tab counts as open where a browser cannot tell. */
const RECENT = 60_000;

let database: Promise<IDBPDatabase<Schema>> | undefined;

function notes(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>("cms-drafts", 1, {
    upgrade(db) {
      const store = db.createObjectStore("notes", { keyPath: ["entry", "tab"] });
      store.createIndex("entry", "entry");
      store.createIndex("at", "at");
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

/** The journal of an entry in this tab. It counts as open until `close` is called or the tab is gone. */
export function openJournal(entry: string): Journal & { close: () => void } {
  const tab = crypto.randomUUID();
  const close = hold(nameOf(entry, tab));
  return {
    close,
    async write(note) {
      await (await notes()).put("notes", { entry, tab, at: Date.now(), note });
    },
    async clear() {
      await (await notes()).delete("notes", [entry, tab]);
    },
  };
}

/** What was kept of an entry by tabs that are gone, the newest first. */
export async function abandoned(entry: string): Promise<Kept[]> {
  const db = await notes();
  const kept = await db.getAllFromIndex("notes", "entry", entry);
  const open = await held();
  const isOpen = ({ tab, at }: Kept) => (open ? open.has(nameOf(entry, tab)) : Date.now() - at < RECENT);
  return kept.filter((one) => !isOpen(one)).sort((one, other) => other.at - one.at);
}

/** Gives up what a tab kept. */
export async function forget({ entry, tab }: Kept): Promise<void> {
  await (await notes()).delete("notes", [entry, tab]);
}

/** Removes what nobody came back for. */
export async function prune(now = Date.now()): Promise<void> {
  const store = (await notes()).transaction("notes", "readwrite").store;
  for (const key of await store.index("at").getAllKeys(IDBKeyRange.upperBound(now - LASTS))) await store.delete(key);
}

function nameOf(entry: string, tab: string): string {
  return `cms-draft ${entry} ${tab}`;
}

/** Names of what is held (Web Locks API); undefined where a browser has none, as without encryption. */
async function held(): Promise<Set<string> | undefined> {
  if (!("locks" in navigator)) return undefined;
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name ? [name] : [])));
}

/** Holds a name until the tab is gone, or the answer is called. */
function hold(name: string): () => void {
  if (!("locks" in navigator)) return () => undefined;
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks.request(name, () => until);
  return release;
}
