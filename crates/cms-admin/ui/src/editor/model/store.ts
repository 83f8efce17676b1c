// An entry on the server: what a draft is saved to.
//
// The id of a new entry is chosen here. What is sent again because its answer got lost is then created once, and found by its id.

import { ulid } from "ulid";

import { answer, api, unasked } from "~/api/client";
import { ApiError, isCode, type Issue } from "~/api/errors";
import { titleField } from "~/content/titleField";
import type { Store, Stored } from "~/editing/draft";
import type { Values } from "~/editing/merge";

import { isMade, numbered, slugFrom } from "./slug";
import { bodyOf, isEmpty, placed, SLUG, unreadIn, valuesOf, type Collection, type Field, type Item } from "./values";

/** An entry as the server answers it. */
export interface Answered {
  item: Item;
  _rev?: string | null;
}

export function storedOf({ item, _rev }: Answered): Stored {
  return { values: valuesOf(item), rev: _rev ?? "" };
}

interface Options {
  collection: Collection;
  fields: Field[];
  /** None for a new entry. */
  id?: string | undefined;
  /** Of a new entry. */
  locale?: string | undefined;
  translationOf?: string | undefined;
  /** Everything that is on the screen. A new entry is sent whole. */
  values: () => Values;
  /** The entry as the server answered it last. */
  item: () => Item | undefined;
  /** Called with the entry each time that the server has answered it. */
  onAnswer: (item: Item) => void;
}

/** How many numbers are tried behind a slug that is taken, before something that nobody else has is put there. */
const NUMBERS = 6;

/** What the revision of an entry that is not there yet begins with; its id follows. */
const NEW = "new:";

/** Whether a revision is one of an entry that was not there yet. */
export function isOfNew(rev: string): boolean {
  return rev.startsWith(NEW);
}

export class EntryStore implements Store {
  /** Which entry it is, also before it is there. */
  id: string;
  /** Whether somebody asked for the next save: it then stays in the history. */
  isAskedFor = false;
  #isThere: boolean;
  readonly #of: Options;

  constructor(of: Options) {
    this.#of = of;
    this.#isThere = of.id !== undefined;
    this.id = of.id ?? ulid();
  }

  /** Whether the server is known to have it. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** The revision of an entry that is not there yet. */
  get rev(): string {
    return NEW + this.id;
  }

  /** Goes on as the new entry that a revision is of, which a tab that is gone may have sent. */
  goOnAs(rev: string): void {
    if (!this.#isThere && isOfNew(rev)) this.id = rev.slice(NEW.length);
  }

  readonly save = async (changes: Values, rev: string): Promise<Stored> => {
    refuseUnread(changes, this.#of.fields);
    try {
      return this.#answered(this.#isThere ? await this.#update(changes, rev) : await this.#create());
    } catch (error) {
      throw explained(error);
    }
  };

  readonly load = async (): Promise<Stored> => {
    try {
      return this.#answered(await answer(api.GET("/content/{collection}/{id}", { params: { path: this.#path() } })));
    } catch (error) {
      if (this.#isThere || !isCode(error, "NOT_FOUND")) throw error;
      return { values: {}, rev: this.rev };
    }
  };

  async #create(): Promise<Answered> {
    const { collection, fields, locale, translationOf, values } = this.#of;
    const whole = values();
    refuseUnread(whole, fields);
    const missing = fields.filter(({ slug, required, defaultValue }) => required && isEmpty(whole[slug]) && isEmpty(defaultValue));
    // The server would refuse it, and nothing else happens until they are filled in.
    if (missing.length > 0) throw invalid(missing.map(({ slug }) => ({ path: `data.${slug}`, code: "REQUIRED", message: "is required" })));
    const { data = {}, slug, seo } = bodyOf(whole);
    const { id } = this;
    const create = api.POST("/content/{collection}", {
      params: { path: { collection: collection.slug } },
      ...this.#sending(),
      body: { id, data, ...(slug ? { slug } : {}), ...(seo && Object.values(seo).some((member) => !isEmpty(member)) ? { seo } : {}), ...(locale ? { locale } : {}), ...(translationOf ? { translationOf } : {}) },
    });
    try {
      return await answer(create);
    } catch (error) {
      if (!isCode(error, "CONFLICT") || error.details.id !== id) throw error;
      // It arrived before, unless it is gone by now: then this is another one.
      const { rev } = await this.load();
      if (rev === this.rev) this.id = ulid();
      throw error;
    }
  }

  async #update(changes: Values, rev: string): Promise<Answered> {
    const made = this.#madeSlug(changes);
    const slug = SLUG in changes ? changes[SLUG] : made;
    const sent = made === undefined ? changes : { ...changes, [SLUG]: made };
    for (let number = 2; ; number++) {
      try {
        return await this.#put(number === 2 ? sent : { ...sent, [SLUG]: numbered(made ?? "", number > NUMBERS ? Date.now() % 1_000_000 : number - 1) }, rev);
      } catch (error) {
        // Whoever chose a slug is told that it is taken; one that was made from the title gets a number, as the server does it.
        if (!isCode(error, "SLUG_CONFLICT") || slug !== made || number > NUMBERS) throw error;
      }
    }
  }

  /** While nobody chose a slug and nobody has seen the entry, its slug goes with its title. */
  #madeSlug(changes: Values): string | undefined {
    const item = this.#of.item();
    const title = titleField(this.#of.collection)?.slug;
    if (!item || item.publishedAt !== null || title === undefined || SLUG in changes || !isMade(item.slug, item.data[title])) return undefined;
    const made = typeof changes[title] === "string" ? slugFrom(changes[title]) : "";
    return made === "" || isMade(item.slug, changes[title]) ? undefined : made;
  }

  #path() {
    return { collection: this.#of.collection.slug, id: this.id };
  }

  #put(changes: Values, rev: string): Promise<Answered> {
    return answer(
      api.PUT("/content/{collection}/{id}", {
        params: { path: this.#path() },
        ...this.#sending(),
        body: { ...bodyOf(changes), _rev: rev, skipRevision: !this.isAskedFor, overrideLock: false },
      }),
    );
  }

  #sending() {
    return this.isAskedFor ? {} : { fetch: unasked };
  }

  #answered(answered: Answered): Stored {
    this.#isThere = true;
    this.isAskedFor = false;
    this.#of.onAnswer(answered.item);
    return storedOf(answered);
  }
}

function invalid(issues: Issue[]): ApiError {
  return new ApiError({ status: 400, code: "VALIDATION_ERROR", message: "the entry has problems", issues });
}

function refuseUnread(values: Values, fields: Field[]): void {
  const issues = unreadIn(values, fields);
  if (issues.length > 0) throw invalid(issues);
}

/** A failure with its issues on the places that it is about. */
export function explained(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, details, retryAfter, requestId } = error;
  const issues = error.issues.map(placed);
  if (code === "SLUG_CONFLICT") issues.push({ path: SLUG, code, message });
  if (code === "UNIQUE_CONFLICT" && typeof details.path === "string") issues.push(placed({ path: details.path, code, message }));
  return new ApiError({ status, code, message, details, issues, ...(retryAfter ? { retryAfter } : {}), ...(requestId ? { requestId } : {}) });
}
