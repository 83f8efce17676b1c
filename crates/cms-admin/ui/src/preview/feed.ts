// Tells a page what the entry looks like while it is written: soon enough to be seen at once, never from within a key press, and never more than the page keeps
// up with.

import { changesOf, type Changes, type Entry } from "./entry";
import type { ToPage } from "./messages";

/** The least time between two messages, in milliseconds: shorter than between two letters of whoever writes fast. */
const GAP = 40;
/** How much longer than making a message takes nothing is sent: of a heavy entry fewer are. */
const SHARE = 6;
/** The longest that this is, in milliseconds. */
const MOST_GAP = 120;
/** How long a page may take to show something before it is told more, in milliseconds. */
const PATIENCE = 1_000;

const NOTHING: Changes = { entry: {}, parts: {} };

interface Told {
  entry: Entry;
  saved: boolean;
}

interface Options {
  /** What the entry looks like now. */
  look: () => Told | undefined;
  send: (message: ToPage) => void;
  now?: () => number;
}

export class Feed {
  /** What the page was told last; nothing while it knows nothing. */
  #told: Told | undefined;
  #number = 0;
  #shown = 0;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When something may be sent again. */
  #next = 0;
  readonly #options: Options;
  readonly #now: () => number;

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** A page is there that knows nothing: it is told everything. */
  begin(): void {
    this.#isOpen = true;
    this.#told = undefined;
    this.#shown = this.#number;
    this.#next = 0;
    this.#plan(0);
  }

  /** Nobody is there to be told. */
  stop(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Something changed, perhaps. Costs nothing: what there is to say is found out later. */
  readonly changed = (): void => {
    if (this.#isOpen && this.#timer === undefined) this.#plan(this.#wait());
  };

  /** The page shows what it was told. */
  shown(number: number): void {
    this.#shown = Math.max(this.#shown, Math.min(number, this.#number));
    if (!this.#isOpen || this.#timer === undefined || this.#shown < this.#number) return;
    // What waited for it goes now.
    clearTimeout(this.#timer);
    this.#plan(this.#wait());
  }

  #wait(): number {
    const gap = Math.max(0, this.#next - this.#now());
    return this.#shown < this.#number ? Math.max(gap, PATIENCE) : gap;
  }

  #plan(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, milliseconds);
  }

  #tell(): void {
    const began = this.#now();
    const told = this.#options.look();
    if (!told) return;
    const before = this.#told;
    const changes = before ? changesOf(before.entry, told.entry) : { entry: told.entry, parts: {} };
    if (!changes && before?.saved === told.saved) return;
    this.#told = told;
    this.#number += 1;
    this.#options.send({ type: "entry", number: this.#number, whole: before === undefined, ...(changes ?? NOTHING), saved: told.saved });
    const ended = this.#now();
    this.#next = ended + Math.min(Math.max(GAP, SHARE * (ended - began)), MOST_GAP);
  }
}
