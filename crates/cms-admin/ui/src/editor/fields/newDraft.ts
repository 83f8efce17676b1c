// A draft that is made where another entry refers to it, of its title alone.

import { titleField } from "~/content/titleField";

import { EntryStore } from "../model/store";
import { isEmpty, type Field, type Item } from "../model/values";
import type { Model } from "../queries";

/** What stands in the way of making an entry of a title that was typed. */
export type Obstacle = { kind: "untitled" } | { kind: "lacks"; field: Field };

/** The field that takes the title, or why an entry takes more than that. */
export function titleAlone({ collection, fields }: Model): Field | Obstacle {
  const title = fields.find(({ slug }) => slug === titleField(collection)?.slug);
  if (title?.type !== "string" && title?.type !== "text") return { kind: "untitled" };
  const field = fields.find(({ slug, required, defaultValue }) => required && slug !== title.slug && isEmpty(defaultValue));
  return field ? { kind: "lacks", field } : title;
}

interface Of {
  model: Model;
  title: Field;
  /** What was typed. */
  typed: string;
  locale: string | undefined;
}

/** A draft that is to be made. It can be tried again, and is made once although its answer got lost. */
export class NewDraft {
  readonly typed: string;
  readonly title: Field;
  readonly #store: EntryStore;
  #isTried = false;
  #item: Item | undefined;

  constructor({ model, title, typed, locale }: Of) {
    this.typed = typed;
    this.title = title;
    this.#store = new EntryStore({ ...model, locale, values: () => ({ [title.slug]: typed }), item: () => this.#item, onAnswer: (item) => (this.#item = item) });
  }

  async make(): Promise<Item> {
    // What was sent before may have arrived.
    if (this.#isTried) await this.#store.load();
    this.#isTried = true;
    if (!this.#item) {
      this.#store.isAskedFor = true;
      await this.#store.save({}, this.#store.rev);
    }
    if (!this.#item) throw new Error("the server answered no entry");
    return this.#item;
  }
}
