// What somebody writes, on its way to the server: nothing is lost, nothing is sent twice over what others wrote, and an answer never takes the place of
// what was typed since.
//
// One request at a time. What changes meanwhile is the next one. A request that may or may not have arrived is followed by a look at what is there.

import { replaceEqualDeep } from "@tanstack/react-query";

import { ApiError, isCode, type Issue } from "~/api/errors";
import { pause as briefly } from "~/lib/pause";
import { isSame } from "~/lib/same";

import { merge, type Choice, type Conflict, type Shapes, type Values } from "./merge";

/** Values as the server has them, and their revision. */
export interface Stored {
  values: Values;
  rev: string;
}

/** What a draft is kept with, here and there. */
export interface Store {
  /** Saves some values over a revision. Fails with an `ApiError`. */
  save: (changes: Values, rev: string) => Promise<Stored>;
  /** What is there now. */
  load: () => Promise<Stored>;
}

/** What is kept in this browser until the server has it. */
export interface Note {
  /** What the server had. */
  base: Stored;
  /** What was sent and may have arrived. */
  sent?: Values | undefined;
  /** What was written, whole. */
  values: Values;
}

/** Names of what a note has that the server did not. */
export function changedIn({ base, values }: Note): string[] {
  return Object.keys(values).filter((name) => !isSame(values[name] ?? null, base.values[name] ?? null));
}

/** Whether some values have all that a note has and the server had not. */
export function hasAllOf(note: Note, values: Values): boolean {
  return changedIn(note).every((name) => isSame(note.values[name] ?? null, values[name] ?? null));
}

export interface Journal {
  write: (note: Note) => Promise<void>;
  clear: () => Promise<void>;
}

/** What is true of the words on the screen. */
export type Standing =
  /** The server has them. */
  | "saved"
  /** They wait for a pause, or are on their way. */
  | "saving"
  /** The server cannot be reached: they are kept here, and sent again by themselves. */
  | "offline"
  /** The server refuses some of them: `issues` says what. The others it has. */
  | "refused"
  /** Somebody else wrote in the same places: nothing is sent until it is decided what becomes of `conflicts`. */
  | "conflict";

export interface State {
  values: Values;
  standing: Standing;
  issues: Issue[];
  conflicts: Conflict[];
  /** What there was and what others made of it, as long as there are conflicts. */
  sides: { base: Values; theirs: Values } | undefined;
  /** What went wrong with the whole. */
  problem: unknown;
  /** When the server last had all of it. */
  savedAt: Date | undefined;
  /** Names of what the server does not have yet. */
  unsaved: string[];
  /** What was written in fields that somebody removed: it is kept here, and not sent. */
  removed: Values;
}

interface Options {
  stored: Stored;
  store: Store;
  journal: Journal;
  shapes: Shapes;
  /** Whether something has this name, as far as is known: a note may be older than the fields. */
  isField?: (name: string) => boolean;
  /** Resolves after so many milliseconds, or earlier when there is a reason to. */
  pause?: (milliseconds: number) => Promise<void>;
  now?: () => Date;
}

/** How long nothing is typed before it is sent. */
export const REST = 800;
/** How long whoever goes on typing waits at most for it to be sent. */
export const MOST = 5_000;
/** How soon after a change it is kept here. Less than people need to close a tab. */
export const KEEP = 200;
/** How long to wait after each failure in a row. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** What is written upon what the server has. */
export class Draft {
  #base: Stored;
  #values: Values;
  /** What was sent, and may or may not have arrived. */
  #sent: Values | undefined;
  /** Fields that the server refused, with what it refused. They are sent again when they are something else. */
  #refused = new Map<string, unknown>();
  #issues: Issue[] = [];
  #conflicts: Conflict[] = [];
  #theirs: Stored | undefined;
  #removed: Values = {};
  /** Names of fields that are gone, as the server said. */
  readonly #gone = new Set<string>();
  #problem: unknown;
  #isOffline = false;
  /** When something was typed last. */
  #typedAt = 0;
  #savedAt: Date | undefined;
  #running: Promise<void> | undefined;
  /** Whether something is done to the whole, during which nothing is sent. */
  #isActing = false;
  #isStopped = false;
  /** Ends the pause before the next attempt. */
  #hurry: () => void = () => undefined;
  /** Who waits for the next attempt to be over. */
  #waiting: (() => void)[] = [];
  #keeping: Promise<void> | undefined;
  #listeners = new Set<() => void>();
  #state: State | undefined;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #shapes: Shapes;
  readonly #isField: (name: string) => boolean;
  readonly #pause: (milliseconds: number) => Promise<void>;
  readonly #now: () => Date;

  constructor({ stored, store, journal, shapes, isField = () => true, pause = briefly, now = () => new Date() }: Options) {
    this.#isField = isField;
    this.#base = this.#ofFields(stored);
    this.#values = this.#base.values;
    this.#store = store;
    this.#journal = journal;
    this.#shapes = shapes;
    this.#pause = pause;
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): State =>
    (this.#state ??= {
      values: this.#values,
      standing: this.#standing(),
      issues: this.#issues,
      conflicts: this.#conflicts,
      sides: this.#theirs && { base: this.#base.values, theirs: this.#theirs.values },
      problem: this.#problem,
      savedAt: this.#savedAt,
      unsaved: this.#unsaved(),
      removed: this.#removed,
    });

  /** The revision that the server gave last. */
  get rev(): string {
    return this.#base.rev;
  }

  /** Whether something has this name, as far as is known by now. */
  isField(name: string): boolean {
    return this.#isField(name) && !this.#gone.has(name);
  }

  /** Somebody typed. It is kept here at once, and sent when they pause. */
  change(changes: Values): void {
    this.#values = { ...this.#values, ...changes };
    this.#setAside();
    this.#typedAt = this.#now().getTime();
    this.#issues = this.#issues.filter(({ path }) => !(fieldOf(path) in changes));
    // Whoever chooses between two versions chooses between those that there are by now.
    if (this.#theirs) this.#rebase(this.#theirs);
    this.#changed();
    void this.#keep();
    this.#run(REST);
  }

  /** Sends what is not sent, without waiting for a pause. Resolves when the server has everything (true), or when something must be done first. */
  async flush(): Promise<boolean> {
    while (this.#unsent().length > 0 && this.#conflicts.length === 0) {
      const attempted = new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#run(0);
      this.#hurry();
      await attempted;
      if (this.#isOffline) break;
    }
    return this.#unsaved().length === 0;
  }

  /** Sends again what was refused as a whole, as by a lock that is gone or a session that was over. */
  retry(): void {
    this.#refused.clear();
    this.#issues = [];
    this.#problem = undefined;
    this.#changed();
    this.#run(0);
  }

  /** Gives up what the server does not have. */
  discard(): Promise<void> {
    this.#values = this.#base.values;
    this.#sent = undefined;
    this.#theirs = undefined;
    this.#problem = undefined;
    this.#conflicts = [];
    this.#issues = [];
    this.#refused.clear();
    return this.giveUpRemoved();
  }

  /** Gives up what was written in fields that are gone. */
  giveUpRemoved(): Promise<void> {
    this.#removed = {};
    this.#changed();
    return this.#note();
  }

  /** Keeps in this browser, at once, what the server does not have: the page may be gone the next moment. */
  keep(): Promise<void> {
    return this.#note();
  }

  /**
   * Does something to the whole, such as publishing it, once the server has everything that is on the screen; nothing is sent meanwhile. Resolves to
   * false, and does nothing, where something must be done first. What is typed meanwhile is sent afterwards.
   */
  async act(work: (rev: string) => Promise<Stored>): Promise<boolean> {
    if (!(await this.#atRest())) return false;
    this.#isActing = true;
    this.#sent = this.#base.values;
    try {
      this.#accepted(await work(this.#base.rev));
    } catch (error) {
      this.#sent = undefined;
      if (isCode(error, "CONFLICT") || !(error instanceof ApiError) || isUncertain(error)) await this.#look();
      throw error;
    } finally {
      this.#isActing = false;
      this.#attempted();
      if (this.#conflicts.length === 0 && this.#unsent().length > 0) this.#run(0);
    }
    return true;
  }

  /** What the server has now, as somebody else left it. Says false, and does nothing, while a request is under way, which may be answered with what is newer. */
  receive(stored: Stored): boolean {
    if (this.#running || this.#isActing) return false;
    if (this.#conflicts.length > 0 || stored.rev === this.#base.rev) return true;
    this.#rebase(stored);
    this.#changed();
    if (this.#conflicts.length === 0 && this.#unsent().length > 0) this.#run(0);
    return true;
  }

  /**
   * Takes up what was written before and did not arrive, beside what is on the screen. Resolves to false, and does nothing, where the two are in each
   * other's way and what is on the screen is not on the server.
   */
  async resume(note: Note): Promise<boolean> {
    const isAtRest = await this.#atRest();
    const removed = this.#removedIn(note.values, note.base.values);
    if (Object.keys(removed).some((name) => name in this.#removed && !isSame(removed[name], this.#removed[name]))) return false;
    const base = this.#ofFields(note.base);
    const values = this.#known(note.values);
    if (!isAtRest) {
      const { value, conflicts } = merge(without(base.values), without(values), without(this.#values), this.#shapes);
      if (conflicts.length > 0) return false;
      this.change({ ...nothing(this.#values), ...value, ...removed });
      return true;
    }
    const now = this.#base;
    this.#removed = { ...this.#removed, ...removed };
    this.#base = base;
    this.#sent = note.sent && this.#known(note.sent);
    this.#values = values;
    this.#rebase(now);
    this.#changed();
    void this.#keep();
    if (this.#conflicts.length === 0) this.#run(0);
    return true;
  }

  /** Decides what becomes of conflicts. Those for which nothing is chosen stay. */
  decide(choices: ReadonlyMap<string, Choice>): void {
    if (!this.#theirs) return;
    this.#rebase(this.#theirs, choices);
    this.#changed();
    void this.#keep();
    if (this.#conflicts.length === 0) this.#run(0);
  }

  /** Sends what is not sent, and waits until nothing is under way. Says whether the server has everything. */
  async #atRest(): Promise<boolean> {
    while (this.#running || this.#isActing || this.#unsent().length > 0) {
      if (this.#isActing) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (!(await this.flush())) return false;
      this.#hurry();
      await this.#running;
    }
    return this.#unsaved().length === 0;
  }

  #standing(): Standing {
    if (this.#conflicts.length > 0) return "conflict";
    if (this.#isOffline) return "offline";
    if (this.#unsent().length > 0) return "saving";
    return this.#unsaved().length > 0 ? "refused" : "saved";
  }

  #unsaved(): string[] {
    const names = new Set([...Object.keys(this.#values), ...Object.keys(this.#base.values)]);
    return [...names].filter((name) => !isSame(given(this.#values[name]), given(this.#base.values[name])));
  }

  #unsent(): string[] {
    return this.#unsaved().filter((name) => !(this.#refused.has(name) && isSame(given(this.#refused.get(name)), given(this.#values[name]))));
  }

  #changed(): void {
    this.#state = undefined;
    this.#listeners.forEach((listener) => listener());
  }

  /** Keeps in this browser what the server does not have. What changes meanwhile is kept right after. */
  async #keep(): Promise<void> {
    if (this.#keeping) return this.#keeping;
    this.#keeping = (async () => {
      await this.#pause(KEEP);
      this.#keeping = undefined;
      await this.#note();
    })();
    return this.#keeping;
  }

  #note(): Promise<void> {
    const removed = Object.keys(this.#removed);
    if (this.#unsaved().length === 0 && !this.#sent && removed.length === 0) return this.#journal.clear();
    return this.#journal.write({ base: this.#base, sent: this.#sent, values: removed.length === 0 ? this.#values : { ...this.#values, ...this.#removed } });
  }

  /** Some values without those of fields that are gone. */
  #known(values: Values): Values {
    const all = Object.entries(values);
    const known = all.filter(([name]) => this.isField(name));
    return known.length === all.length ? values : Object.fromEntries(known);
  }

  #ofFields(stored: Stored): Stored {
    const values = this.#known(stored.values);
    return values === stored.values ? stored : { ...stored, values };
  }

  /** What of some values was written in fields that are gone. */
  #removedIn(values: Values, base: Values): Values {
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => !this.isField(name) && given(value) !== undefined && !isSame(value, base[name])));
  }

  /** Takes what is of no field any more from where it would be sent and merged. */
  #setAside(): void {
    const values = this.#known(this.#values);
    const base = this.#ofFields(this.#base);
    if (values === this.#values && base === this.#base) return;
    this.#removed = { ...this.#removed, ...this.#removedIn(this.#values, this.#base.values) };
    this.#values = values;
    this.#base = base;
    this.#sent &&= this.#known(this.#sent);
  }

  /** Takes up what is there now, where that can be seen. */
  async #look(): Promise<void> {
    try {
      this.#rebase(await this.#store.load());
      await this.#note();
    } catch {
      // The next save will find out.
    }
  }

  /** Sends nothing any more, and begins nothing: whoever opens the same thing again has a draft of their own. */
  stop(): void {
    this.#isStopped = true;
    this.#hurry();
  }

  #run(rest: number): void {
    if (this.#isActing || this.#isStopped) return;
    this.#running ??= this.#work(rest).finally(() => {
      this.#running = undefined;
      this.#attempted();
      if (this.#conflicts.length === 0 && this.#unsent().length > 0) this.#run(REST);
    });
  }

  /** Sends until there is nothing left to send. */
  async #work(rest: number): Promise<void> {
    await (rest > 0 ? this.#calm() : this.#rest(0));
    for (let failures = 0; !this.#isStopped && this.#conflicts.length === 0 && this.#unsent().length > 0; ) {
      try {
        await this.#attempt();
        failures = 0;
        this.#attempted();
        await this.#calm();
      } catch (problem) {
        this.#failed(problem);
        this.#attempted();
        if (!this.#isOffline) return;
        await this.#rest(WAITS[Math.min(failures++, WAITS.length - 1)] ?? 0);
      }
    }
  }

  /** A pause that somebody may cut short. */
  #rest(milliseconds: number): Promise<void> {
    const hurried = new Promise<void>((resolve) => (this.#hurry = resolve));
    return Promise.race([this.#pause(milliseconds), hurried]);
  }

  /** Waits until nobody types. Whoever goes on is not waited for forever, and somebody may cut it short. */
  async #calm(): Promise<void> {
    const now = () => this.#now().getTime();
    const end = now() + MOST;
    const hurried = new Promise<boolean>((resolve) => (this.#hurry = () => resolve(true)));
    for (let isHurried = false; !isHurried && this.#unsent().length > 0; ) {
      const left = Math.min(this.#typedAt + REST, end) - now();
      if (left <= 0) return;
      isHurried = await Promise.race([this.#pause(left).then(() => false), hurried]);
    }
  }

  #attempted(): void {
    this.#changed();
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  /** Sends what is not sent, once. */
  async #attempt(): Promise<void> {
    if (this.#sent) {
      // Nobody knows whether it arrived.
      this.#rebase(await this.#store.load());
      this.#reached();
      await this.#note();
      return;
    }
    const sent = { ...this.#values };
    const changes = Object.fromEntries(this.#unsent().map((name) => [name, sent[name] ?? null]));
    this.#sent = this.#without(sent, changes);
    // Before it is sent: whoever finds the note must know that it may have arrived.
    await this.#note();
    try {
      const stored = await this.#store.save(changes, this.#base.rev);
      this.#accepted(stored);
    } catch (error) {
      if (isCode(error, "CONFLICT")) {
        this.#sent = undefined;
        this.#rebase(await this.#store.load());
      } else if (isCode(error, "VALIDATION_ERROR") || (error instanceof ApiError && error.issues.length > 0)) {
        this.#sent = undefined;
        this.#refuse(error, changes);
      } else {
        if (!(error instanceof ApiError && isUncertain(error))) this.#sent = undefined;
        throw error;
      }
    }
    this.#reached();
    await this.#note();
  }

  /** The values without what is held back, as the server has them once it took what is sent. */
  #without(values: Values, changes: Values): Values {
    const held = this.#unsaved().filter((name) => !(name in changes));
    return { ...values, ...Object.fromEntries(held.map((name) => [name, this.#base.values[name]])) };
  }

  #accepted(answered: Stored): void {
    const sent = this.#sent ?? this.#base.values;
    const stored = like(this.#ofFields(answered), sent);
    this.#sent = undefined;
    this.#problem = undefined;
    // What was typed since stays; what was not follows what the server made of it.
    const { value, conflicts } = merge(sent, this.#values, stored.values, this.#shapes);
    this.#values = conflicts.length === 0 ? value : this.#mine(sent, stored);
    this.#base = stored;
    if (this.#unsaved().length === 0) this.#savedAt = this.#now();
  }

  #mine(sent: Values, stored: Stored): Values {
    const choices = new Map<string, Choice>();
    for (;;) {
      const { value, conflicts } = merge(sent, this.#values, stored.values, this.#shapes, choices);
      if (conflicts.length === 0) return value;
      conflicts.forEach(({ path }) => choices.set(JSON.stringify(path), "mine"));
    }
  }

  /** Puts what was written upon what others left. */
  #rebase(left: Stored, choices?: ReadonlyMap<string, Choice>): void {
    const theirs = like(this.#ofFields(left), this.#values);
    let base = this.#base.values;
    if (this.#sent) {
      const arrived = merge(base, this.#sent, theirs.values, this.#shapes);
      if (arrived.conflicts.length === 0 && isSame(without(arrived.value), without(theirs.values))) base = this.#sent;
      this.#base = { ...this.#base, values: base };
      this.#sent = undefined;
    }
    const { value, conflicts } = merge(without(base), without(this.#values), without(theirs.values), this.#shapes, choices);
    this.#conflicts = conflicts;
    if (conflicts.length > 0) {
      // Mine stay on the screen until it is decided.
      this.#theirs = theirs;
      return;
    }
    this.#theirs = undefined;
    this.#values = value;
    this.#base = theirs;
    if (this.#unsaved().length === 0) this.#savedAt = this.#now();
  }

  #refuse(error: ApiError, changes: Values): void {
    const unknown = error.issues.filter(({ path, code }) => code === "UNKNOWN_FIELD" && isWhole(path) && this.isField(fieldOf(path)));
    for (const { path } of unknown) this.#gone.add(fieldOf(path));
    this.#setAside();
    const issues = error.issues.filter((issue) => !unknown.includes(issue));
    // What was refused before, and was not sent again, is still wrong.
    this.#issues = [...this.#issues.filter(({ path }) => this.#refused.has(fieldOf(path)) && !(fieldOf(path) in changes)), ...issues];
    // The rest is sent again without it.
    if (unknown.length > 0 && issues.length === 0) return;
    const named = issues.map(({ path }) => fieldOf(path)).filter((name) => name in changes);
    // A refusal of nothing in particular is one of everything.
    for (const name of named.length > 0 ? named : Object.keys(changes)) this.#refused.set(name, changes[name]);
    this.#problem = named.length > 0 ? undefined : error;
  }

  #reached(): void {
    this.#isOffline = false;
    if (this.#issues.length === 0) this.#problem = undefined;
    this.#changed();
  }

  #failed(problem: unknown): void {
    this.#problem = problem;
    this.#isOffline = problem instanceof ApiError && problem.isPassing;
    if (!this.#isOffline) {
      for (const name of this.#unsent()) this.#refused.set(name, this.#values[name]);
    }
    this.#changed();
  }
}

/** What the server has, in the objects that are here already: long texts are then compared, drawn and kept in no time. */
function like({ values, rev }: Stored, here: Values): Stored {
  return { values: replaceEqualDeep(here, values), rev };
}

/** Whether a request may have been done although it failed. */
function isUncertain({ status, code }: ApiError): boolean {
  return status === 0 || code === "BAD_ANSWER" || status >= 500;
}

/** The field that an issue is about: paths begin with where the values are. */
function fieldOf(path: string): string {
  const [first = "", second] = path.split(".");
  return first === "data" ? (second ?? "") : first;
}

/** Whether an issue is about a field as a whole. */
function isWhole(path: string): boolean {
  return path.replace(/^data\./, "") === fieldOf(path);
}

/** A field without a value is null here, and not there at all elsewhere. */
function given(value: unknown): unknown {
  return value === null ? undefined : value;
}

/** Names of values, with none. */
function nothing(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, null]));
}

function without(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
