// The journal of an entry that may get its id while it is written, and that says whether it could keep what it was given.

import type { Journal, Note } from "~/editing/draft";
import { abandonedIn, openJournal } from "~/editing/journal";

import { Cell } from "./cell";

/** How one entry is named in the journal of this browser. */
export function journalName(author: string, collection: string, id: string | undefined, locale: string | undefined): string {
  return [author, collection, id ?? `${NEW}${locale ?? ""}`].join("/");
}

const NEW = "new ";

/** New entries of somebody that tabs left behind that are gone. */
export async function newOnes(author: string): Promise<{ collection: string; locale: string | undefined; at: number }[]> {
  const kept = await abandonedIn(`${author}/`);
  return kept.flatMap(({ entry, at }) => {
    const [, collection = "", name = ""] = entry.split("/");
    return name.startsWith(NEW) ? [{ collection, locale: name.slice(NEW.length) || undefined, at }] : [];
  });
}

export class KeptJournal implements Journal {
  /** Whether this browser keeps what it is given: it may be full, or forbid it. */
  readonly works = new Cell(true);
  #journal: ReturnType<typeof openJournal>;
  /** Under the name that it had before, until there is a note under the new one. */
  #before: ReturnType<typeof openJournal> | undefined;

  constructor(entry: string) {
    this.#journal = openJournal(entry);
  }

  readonly write = (note: Note): Promise<void> => this.#tried(() => this.#journal.write(note));

  readonly clear = (): Promise<void> => this.#tried(() => this.#journal.clear());

  /** The entry has another name from now on. */
  rename(entry: string): void {
    this.#before ??= this.#journal;
    this.#journal = openJournal(entry);
  }

  close(): void {
    this.#before?.close();
    this.#journal.close();
  }

  async #tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      const before = this.#before;
      this.#before = undefined;
      await before?.clear();
      before?.close();
      this.works.set(true);
    } catch {
      // Writing goes on: the server is still there, and whoever writes is told.
      this.works.set(false);
    }
  }
}
