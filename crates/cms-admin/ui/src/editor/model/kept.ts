// The journal of an entry that may get its id while it is written, and that says whether it could keep what it was given.

import type { Journal, Note } from "~/editing/draft";
import { abandonedIn, openJournal, type Kept } from "~/editing/journal";

import { Cell } from "./cell";

/** How one entry is named in the journal of this browser. */
export function journalName(author: string, collection: string, { id, locale, translationOf }: { id?: string | undefined; locale?: string | undefined; translationOf?: string | undefined }): string {
  return [author, collection, id ?? [NEW, locale, translationOf].join(" ")].join("/");
}

const NEW = "new";

/** A new entry that a tab left behind that is gone. */
export interface KeptNew {
  collection: string;
  locale: string | undefined;
  /** What it translates. */
  translationOf: string | undefined;
  kept: Kept;
}

/** New entries of somebody that tabs left behind that are gone, the newest first. */
export async function newOnes(author: string): Promise<KeptNew[]> {
  return (await abandonedIn(`${author}/`)).map(asNew).filter((left) => left !== undefined);
}

/** What was left, if it was to become a new entry. */
export function asNew(kept: Kept): KeptNew | undefined {
  const [, collection = "", name = ""] = kept.entry.split("/");
  const [what, locale, translationOf] = name.split(" ");
  return what === NEW ? { collection, locale: locale || undefined, translationOf: translationOf || undefined, kept } : undefined;
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
