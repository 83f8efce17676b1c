// An entry on the server: what a draft is saved to.
//
// The API takes neither an id of our choice nor an idempotency key. So a new entry whose answer got lost is looked for among the newest ones of its author,
// behind the one that was the newest before: ids grow with time.

import { answer, api, unasked } from "~/api/client";
import { ApiError, isCode, type Issue } from "~/api/errors";
import { titleField } from "~/content/titleField";
import type { Store, Stored } from "~/editing/draft";
import type { Values } from "~/editing/merge";
import { isSame } from "~/lib/same";

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
  /** Whoever writes. */
  author: string;
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
/** How many of the newest entries are looked through for one whose answer got lost. */
const LOOKED = 20;

/** What the revision of an entry that is not there yet begins with; the id of the newest entry before it follows. */
export const NEW = "new>";

export class EntryStore implements Store {
  id: string | undefined;
  /** Whether somebody asked for the next save: it then stays in the history. */
  isAskedFor = false;
  #before = "";
  /** What the entry was, or would have been, created with. */
  #sent: Values = {};
  readonly #of: Options;

  constructor(of: Options) {
    this.#of = of;
    this.id = of.id;
  }

  readonly save = async (changes: Values, rev: string): Promise<Stored> => {
    refuseUnread(changes, this.#of.fields);
    try {
      return this.#answered(this.id === undefined ? await this.#create() : await this.#update(changes, rev));
    } catch (error) {
      throw explained(error);
    }
  };

  readonly load = async (): Promise<Stored> => {
    if (this.id === undefined) return this.#lookFor();
    const { collection } = this.#of;
    return this.#answered(await answer(api.GET("/content/{collection}/{id}", { params: { path: { collection: collection.slug, id: this.id } } })));
  };

  /** The revision of an entry that is not there yet. */
  async before(): Promise<string> {
    const [newest] = await this.#newest(1);
    return NEW + (newest?.id ?? "");
  }

  /** Begins upon what was the newest entry before. What was sent already may have arrived. */
  begin(rev: string, sent: Values = {}): void {
    this.#before = rev.slice(NEW.length);
    this.#sent = sent;
  }

  async #create(): Promise<Answered> {
    const { collection, fields, locale, translationOf, values } = this.#of;
    const whole = values();
    refuseUnread(whole, fields);
    const missing = fields.filter(({ slug, required, defaultValue }) => required && isEmpty(whole[slug]) && isEmpty(defaultValue));
    // The server would refuse it, and nothing else happens until they are filled in.
    if (missing.length > 0) throw invalid(missing.map(({ slug }) => ({ path: `data.${slug}`, code: "REQUIRED", message: "is required" })));
    this.#sent = whole;
    const { data = {}, slug, seo } = bodyOf(whole);
    return answer(
      api.POST("/content/{collection}", {
        params: { path: { collection: collection.slug } },
        ...this.#sending(),
        body: { data, ...(slug ? { slug } : {}), ...(seo && Object.values(seo).some((member) => !isEmpty(member)) ? { seo } : {}), ...(locale ? { locale } : {}), ...(translationOf ? { translationOf } : {}) },
      }),
    );
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

  #put(changes: Values, rev: string): Promise<Answered> {
    const { collection } = this.#of;
    return answer(
      api.PUT("/content/{collection}/{id}", {
        params: { path: { collection: collection.slug, id: this.id ?? "" } },
        ...this.#sending(),
        body: { ...bodyOf(changes), _rev: rev, skipRevision: !this.isAskedFor, overrideLock: false },
      }),
    );
  }

  #sending() {
    return this.isAskedFor ? {} : { fetch: unasked };
  }

  #answered(answered: Answered): Stored {
    this.id = answered.item.id;
    this.isAskedFor = false;
    this.#of.onAnswer(answered.item);
    return storedOf(answered);
  }

  #newest(limit: number): Promise<Item[]> {
    const { collection, author } = this.#of;
    const query = { authorId: author, orderBy: "createdAt", order: "desc" as const, limit };
    return answer(api.GET("/content/{collection}", { params: { path: { collection: collection.slug }, query } })).then(({ items }) => items);
  }

  /** What is there of a new entry that a tab sent before it was gone. */
  lookFor(rev: string, sent: Values): Promise<Stored> {
    this.begin(rev.startsWith(NEW) ? rev : NEW, sent);
    return this.load();
  }

  /** The entry that was created although nobody got to know of it; nothing when it was not. */
  async #lookFor(): Promise<Stored> {
    const found = (await this.#newest(LOOKED)).reverse().find((item) => item.id > this.#before && isLike(item, this.#sent, this.#of.fields));
    if (!found) return { values: {}, rev: NEW + this.#before };
    this.id = found.id;
    return this.load();
  }
}

/** Whether an entry was made of some values. What the server may have put into another form, such as rich text, is not looked at. */
function isLike({ data, version }: Item, values: Values, fields: Field[]): boolean {
  const told = fields.filter(({ type }) => ["string", "text", "slug", "select", "number", "integer", "boolean"].includes(type));
  return version === 1 && told.every(({ slug, defaultValue }) => isSame(data[slug] ?? null, values[slug] ?? defaultValue ?? null));
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
