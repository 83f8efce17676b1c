// One entry that somebody has open: what is on the screen, what the server has of it, and what can be done with it.

import { askToSignIn } from "~/api/client";
import { ApiError, isCode } from "~/api/errors";
import { changedIn, Draft, hasAllOf, type Note, type State } from "~/editing/draft";
import { abandoned, forget, type Kept } from "~/editing/journal";
import type { News } from "~/editing/following/feed";
import type { Values } from "~/editing/merge";

import { Cell } from "./cell";
import { fateOf, type Gone } from "./gone";
import { journalName, KeptJournal } from "./kept";
import { EntryStore, explained, isOfNew, storedOf, type Answered } from "./store";
import { isEmpty, isOwnName, shapesOf, unreadIn, type Collection, type Field, type Item } from "./values";

interface Opened {
  collection: Collection;
  fields: Field[];
  /** Whoever writes. */
  author: string;
  locale?: string | undefined;
}

interface OpenedNew extends Opened {
  translationOf?: string | undefined;
  /** What it begins with, besides its fields' defaults. */
  values?: Values;
}

export class EntrySession {
  readonly collection: Collection;
  /** Its fields as they were when it was opened: `fields` are those that are still there. */
  readonly opened: readonly Field[];
  #fields: Field[];
  readonly author: string;
  readonly draft: Draft;
  readonly store: EntryStore;
  readonly journal: KeptJournal;
  /** The entry as the server answered it last; none while it is new. */
  readonly item: Cell<Item | undefined>;
  /** Whether somebody wanted it saved or published: what is missing is then said at the fields. */
  readonly isTried = new Cell(false);
  /** What tabs that are gone left of it. */
  readonly left = new Cell<Kept[]>([]);
  /** What became of it, when it is not where it was. */
  readonly gone = new Cell<Gone | undefined>(undefined);
  /** What the server tells of it; none as long as nobody can know. */
  readonly news = new Cell<News | undefined>(undefined);
  /** Tells other tabs of this browser. */
  readonly #channel: BroadcastChannel | undefined;
  readonly #locale: string | undefined;
  readonly #translationOf: string | undefined;
  /** What a new translation begins as, unless there is something that was left of it. */
  #original: Values = {};
  #version: number | undefined;
  readonly #looked: Promise<void>;
  /** The version that the server told of during a save. */
  #told = 0;
  /** Whether what others did was looked at too early to be taken up. */
  #isMissed = false;
  /** What was found wrong with the whole last. */
  #problem: unknown;

  private constructor({ collection, fields, author, locale }: Opened, begin: Answered | undefined, values: Values, translationOf?: string) {
    this.collection = collection;
    this.opened = this.#fields = fields;
    this.author = author;
    this.#locale = locale;
    const item = begin?.item;
    this.item = new Cell(item);
    this.#version = item?.version;
    this.#translationOf = translationOf;
    this.journal = new KeptJournal(this.#name(item?.id));
    const onAnswer = (item: Item) => this.#answered(item);
    const fieldsNow = () => this.fields;
    this.store = new EntryStore({ collection, get fields() { return fieldsNow(); }, id: item?.id, locale, translationOf, values: () => this.draft.state().values, item: this.item.get, onAnswer });
    const { store, journal } = this;
    const isField = (name: string) => isOwnName(name) || fields.some(({ slug }) => slug === name);
    this.draft = new Draft({ stored: begin ? storedOf(begin) : { values, rev: store.rev }, store, journal, shapes: shapesOf(fields), isField });
    this.draft.subscribe(() => this.#followUp());
    this.#channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`cms-entry ${collection.slug}`) : undefined;
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<Pick<News, "id" | "version">>) => void this.#heard(data);
    this.#looked = this.#look();
  }

  static of(answered: Answered, opened: Opened): EntrySession {
    return new EntrySession(opened, answered, {});
  }

  static new({ translationOf, values = {}, ...opened }: OpenedNew): EntrySession {
    const defaults = Object.fromEntries(opened.fields.filter(({ defaultValue }) => !isEmpty(defaultValue)).map(({ slug, defaultValue }) => [slug, defaultValue]));
    const session = new EntrySession(opened, undefined, defaults, translationOf);
    session.#original = values;
    return session;
  }

  readonly state = (): State => this.draft.state();
  readonly subscribe = (listener: () => void): (() => void) => this.draft.subscribe(listener);

  get fields(): Field[] {
    if (this.#fields.some(({ slug }) => !this.draft.isField(slug))) this.#fields = this.#fields.filter(({ slug }) => this.draft.isField(slug));
    return this.#fields;
  }

  get isNew(): boolean {
    return this.item.get() === undefined;
  }

  get locale(): string | undefined {
    return this.item.get()?.locale ?? this.#locale;
  }

  change(changes: Values): void {
    this.draft.change(changes);
  }

  /** Saves now, because somebody asked for it. */
  async save(): Promise<boolean> {
    this.isTried.set(true);
    this.store.isAskedFor = true;
    try {
      if (isSignedOut(this.state().problem)) await this.retry();
      return await this.draft.flush();
    } finally {
      this.store.isAskedFor = false;
    }
  }

  /** Does something to the whole entry, exactly as it is on the screen. Says whether it was done. */
  async act(work: (id: string, rev: string) => Promise<Answered>): Promise<boolean> {
    this.isTried.set(true);
    return this.draft.act(async (rev) => {
      try {
        const answered = await work(this.store.id, rev);
        this.#answered(answered.item);
        return storedOf(answered);
      } catch (error) {
        throw explained(error);
      }
    });
  }

  /** Sends again what was refused as a whole. */
  async retry(): Promise<void> {
    if (this.state().standing === "refused" && isSignedOut(this.state().problem)) await askToSignIn();
    this.draft.retry();
  }

  /** Takes up what others did. */
  async refresh(): Promise<void> {
    if (this.isNew) return;
    const { standing } = this.state();
    if (standing === "saving" || standing === "conflict") return;
    try {
      this.#isMissed = !this.draft.receive(await this.store.load());
      this.#isBack();
    } catch (error) {
      // Any other failure is one of a look.
      if (isCode(error, "NOT_FOUND")) await this.#find();
    }
  }

  /** The server told of it, can tell nothing, or tells that it is not there (null). */
  hear(news: News | null | undefined): void {
    this.news.set(news ?? undefined);
    if (news) void this.#heard(news);
    else if (news === null) void this.refresh();
  }

  /** Whether something that was left goes on here. What was to become a new entry becomes one of its own, unless nothing is written in this one yet. */
  takesUp({ note }: Kept): boolean {
    return this.isNew ? this.state().unsaved.length === 0 : !isOfNew(note.base.rev);
  }

  /** Goes on with what one tab left, for which somebody came. It is offered still where that does not work. */
  async goOnWith(tab: string): Promise<void> {
    await this.#looked;
    const kept = this.left.get().find((kept) => kept.tab === tab);
    if (kept) await this.takeUp(kept).catch(() => undefined);
  }

  /** Takes up what a tab that is gone left. It is offered still where something must be done first. */
  async takeUp(kept: Kept): Promise<void> {
    if (!this.takesUp(kept)) return;
    const note = this.isNew ? await this.#arrived(kept.note) : kept.note;
    if (!(await this.draft.resume(note))) return;
    await this.draft.keep();
    await this.forget(kept);
  }

  async forget(kept: Kept): Promise<void> {
    this.left.set(this.left.get().filter((other) => other !== kept));
    await forget(kept).catch(() => undefined);
    this.#beginAsOriginal();
  }

  /** It is not looked at any more. What is not on the server stays in this browser. */
  async close(): Promise<void> {
    this.#channel?.close();
    this.draft.stop();
    await this.draft.keep();
    this.journal.close();
  }

  #name(id: string | undefined): string {
    return journalName(this.author, this.collection.slug, { id, locale: this.#locale, translationOf: this.#translationOf });
  }

  /** A new entry that a tab sent before it was gone may be there. */
  async #arrived(note: Note): Promise<Note> {
    const own = this.store.rev;
    this.store.goOnAs(note.base.rev);
    try {
      this.draft.receive(note.sent ? await this.store.load() : { values: this.state().values, rev: this.store.rev });
    } catch (error) {
      this.store.goOnAs(own);
      throw error;
    }
    return this.isNew ? { ...note, sent: undefined } : note;
  }

  /** Finds what was left of it. What the server has by now is nothing to take up. */
  async #look(): Promise<void> {
    try {
      const left: Kept[] = [];
      for (const kept of await abandoned(this.#name(this.item.get()?.id))) {
        if (await this.#isDealtWith(kept)) await forget(kept);
        else left.push(kept);
      }
      this.left.set(left);
    } catch {
      // A browser that keeps nothing has nothing.
    }
    this.#beginAsOriginal();
  }

  /** Whether the server has all of what was left that there is a field for. What there is none for any more is shown at once. */
  async #isDealtWith({ note }: Kept): Promise<boolean> {
    const removed = Object.fromEntries(changedIn(note).filter((name) => !this.draft.isField(name)).map((name) => [name, note.values[name]]));
    if (this.isNew || !hasAllOf(note, { ...this.state().values, ...removed })) return false;
    if (Object.keys(removed).length === 0) return true;
    if (!(await this.draft.resume(note))) return false;
    await this.draft.keep();
    return this.journal.works.get();
  }

  /** A new translation begins as what it translates, but for what cannot be read exactly here; one that was left goes on as it was. */
  #beginAsOriginal(): void {
    if (!this.isNew || this.left.get().some((kept) => this.takesUp(kept))) return;
    const { values } = this.state();
    const untouched = Object.entries(this.#original).filter(([name, value]) => isEmpty(values[name]) && unreadIn({ [name]: value }, this.fields).length === 0);
    this.#original = {};
    if (untouched.length > 0) this.change(Object.fromEntries(untouched));
  }

  #answered(item: Item): void {
    const isCreated = this.isNew;
    this.item.set(item);
    if (isCreated) this.journal.rename(this.#name(item.id));
    if (item.version !== undefined && item.version !== this.#version) this.#channel?.postMessage({ id: item.id, version: item.version });
    this.#version = item.version;
  }

  async #heard({ id, version }: Pick<News, "id" | "version">): Promise<void> {
    if (id !== this.item.get()?.id || (version <= (this.#version ?? 0) && !this.gone.get())) return;
    if (this.state().standing === "saving") this.#told = version;
    else await this.refresh();
  }

  /** Takes up what others did during a save, and looks at what is there when a save is refused as a whole. */
  #followUp(): void {
    const { standing, problem } = this.state();
    if (standing === "saving") return;
    const isNew = problem !== this.#problem;
    const isBehind = this.#isMissed || this.#told > (this.#version ?? 0);
    this.#problem = problem;
    this.#isMissed = false;
    this.#told = 0;
    if (isBehind || (isNew && isOver(problem))) void this.refresh();
  }

  /** It is not where it was. */
  async #find(): Promise<void> {
    const found = await fateOf(this.collection.slug, this.store.id).catch((error: unknown) => (isCode(error, "NOT_FOUND") ? { trashed: undefined } : undefined));
    if (found) this.gone.set(found);
  }

  /** It is where it was: what was refused for want of it is sent again. */
  #isBack(): void {
    this.gone.set(undefined);
    if (isCode(this.state().problem, "NOT_FOUND")) this.draft.retry();
  }
}

/** Whether something was refused since the entry is gone, or since somebody may not change it any more. */
function isOver(problem: unknown): boolean {
  return problem instanceof ApiError && (problem.status === 403 || problem.code === "NOT_FOUND");
}

function isSignedOut(problem: unknown): boolean {
  return problem instanceof ApiError && problem.status === 401;
}
