// The editor between the page and whoever holds the value: what is written goes out once a frame, what others wrote comes in between.

import { gapCursor } from "prosemirror-gapcursor";
import type { Node } from "prosemirror-model";
import { dropCursor } from "prosemirror-dropcursor";
import { history } from "prosemirror-history";
import { EditorState, Selection, type Command, type Plugin, type Transaction } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { Mapping } from "prosemirror-transform";
import { EditorView, type DirectEditorProps } from "prosemirror-view";

import { toDocument, toValue } from "./convert";
import { keyboard } from "./keyboard";
import { FOREIGN, uniqueKeys } from "./keys";
import { placeholder } from "./placeholder";
import { takeIn } from "./takeIn";
import type { Blocks } from "./value";

/** What the editor needs from the page. */
export interface Settings {
  /** What the box is and how it is described to those who do not see it. */
  attributes: Record<string, string>;
  readOnly: boolean;
  placeholder: string;
  onChange: (value: Blocks) => void;
  /** How much of the window's top is covered, in pixels: the caret keeps out from under there. */
  covered?: () => number;
}

/** A document as it was, and what was changed since. */
export interface Followed {
  doc: Node;
  since: Mapping;
}

type Value = Blocks | null | undefined;

/** How long a change may wait where no frame comes, as in a window that nobody sees. In milliseconds. */
const NO_FRAME = 200;
/** Blocks of a text of more than so many are drawn as they come near the screen. */
const LONG = 200;
/** How many values a page may be behind. */
const MAX_TOLD = 100;

/**
 * Whenever React draws something it notes the selection of what has the focus, to put it back afterwards, and walks through all of a text to find it. Of a
 * long one that took a third of what scripts take for a letter. The editor looks after its selection itself, so it does not say that there is one: React asks this property
 * for it, and nobody else does.
 */
function keepSelection(text: HTMLElement): void {
  Object.defineProperty(text, "contentEditable", { value: "inherit", configurable: true });
}

export class Controller {
  readonly view: EditorView;
  /** Whether the settings of blocks are shown elsewhere. */
  readonly hasPanel: boolean;
  #settings: Settings;
  /** What the page knows, and what it was told before that and has not shown yet. */
  #known: Value;
  #told: Value[] = [];
  /** The document of what the page knows, and what was changed since. */
  #base: Node;
  #since = new Mapping();
  #isDue = false;
  #frame = 0;
  #timer = 0;
  /** What came in the middle of a composition, which must not be disturbed. */
  #waiting: { value: Value } | null = null;
  readonly #followed = new Set<Followed>();
  readonly #listeners = new Set<() => void>();

  constructor(place: HTMLElement, value: Value, settings: Settings, more: Plugin[], props: Partial<DirectEditorProps>, hasPanel: boolean) {
    this.#settings = settings;
    this.hasPanel = hasPanel;
    this.#known = value;
    this.#base = toDocument(value);
    const plugins = [...more, ...keyboard(), history(), uniqueKeys(), placeholder(() => this.#settings.placeholder), tableEditing(), gapCursor(), dropCursor({ class: "rt-dropcursor", color: false, width: 2 })];
    this.view = new EditorView(
      { mount: place },
      {
        ...props,
        state: EditorState.create({ doc: this.#base, plugins }),
        editable: () => !this.#settings.readOnly,
        attributes: ({ doc }) => (doc.childCount > LONG ? { ...this.#settings.attributes, "data-long": "" } : this.#settings.attributes),
        scrollThreshold: this.#edges(0),
        scrollMargin: this.#edges(8),
        dispatchTransaction: (transaction) => this.#apply(transaction),
        handleDOMEvents: {
          ...props.handleDOMEvents,
          blur: () => {
            this.flush();
            return false;
          },
          compositionend: () => {
            // The browser tells of the end before the last letters are in the document.
            setTimeout(() => this.#bring());
            return false;
          },
        },
      },
    );
    keepSelection(place);
    addEventListener("pagehide", this.flush);
    document.addEventListener("visibilitychange", this.flush);
  }

  /** How near to the edges of the window the caret may come. */
  #edges(room: number): { top: number; right: number; bottom: number; left: number } {
    const covered = () => this.#settings.covered?.() ?? 0;
    return {
      get top() {
        return covered() + room;
      },
      right: room,
      bottom: room,
      left: room,
    };
  }

  get state(): EditorState {
    return this.view.state;
  }

  #apply(transaction: Transaction): void {
    const before = this.view.state;
    const { state, transactions } = before.applyTransaction(transaction);
    this.view.updateState(state);
    if (state.doc !== before.doc) {
      for (const { mapping } of transactions) {
        this.#since.appendMapping(mapping);
        for (const { since } of this.#followed) since.appendMapping(mapping);
      }
      if (transactions.some((part) => part.docChanged && !part.getMeta(FOREIGN))) this.#tell();
    }
    for (const listener of this.#listeners) listener();
  }

  #tell(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#frame = requestAnimationFrame(this.flush);
    this.#timer = window.setTimeout(this.flush, NO_FRAME);
  }

  /** Tells the page now what was written. */
  readonly flush = (): void => {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    if (!this.#isDue) return;
    this.#isDue = false;
    const { state } = this.view;
    // What waits belongs to what is told: otherwise it would seem that somebody took it out again.
    const value = toValue(this.#waiting ? this.#with(this.#waiting.value).doc : state.doc);
    this.#told = [...this.#told, this.#known].slice(-MAX_TOLD);
    this.#known = value;
    this.#base = state.doc;
    this.#since = new Mapping();
    if (this.#waiting) this.#waiting = { value };
    this.#settings.onChange(value ?? []);
  };

  /** The document with what came from elsewhere. */
  #with(value: Value): Transaction {
    return takeIn(this.view.state.tr, this.#base, toDocument(value), this.#since);
  }

  /** Takes in the value that the page has. */
  take(value: Value): void {
    if (value === this.#known) {
      this.#told = [];
      return;
    }
    // A page that draws later than it is told shows for a moment what was written before: that is no news.
    const echo = this.#told.indexOf(value);
    this.#told = this.#told.slice(echo + 1);
    if (echo >= 0) return;
    this.#waiting = { value };
    this.#bring();
  }

  #bring(): void {
    if (!this.#waiting || this.view.composing || this.view.isDestroyed) return;
    const { value } = this.#waiting;
    const transaction = this.#with(value);
    this.#waiting = null;
    if (transaction.docChanged) this.view.dispatch(transaction);
    this.#known = value;
    // What was written in the meantime is told at once, with what came in.
    if (this.#isDue) {
      this.flush();
      return;
    }
    this.#base = this.view.state.doc;
    this.#since = new Mapping();
  }

  set(settings: Settings): void {
    const before = this.#settings;
    this.#settings = settings;
    const isSame = before.readOnly === settings.readOnly && before.placeholder === settings.placeholder && JSON.stringify(before.attributes) === JSON.stringify(settings.attributes);
    if (!isSame) this.view.setProps({});
  }

  /** Carries something out, and goes on in the text. */
  run(command: Command): boolean {
    const isDone = !this.#settings.readOnly && command(this.view.state, this.view.dispatch.bind(this.view), this.view);
    this.view.focus();
    return isDone;
  }

  get isReadOnly(): boolean {
    return this.#settings.readOnly;
  }

  /** Goes to the block with a key, as from an outline. */
  goTo(key: string): void {
    let at = -1;
    this.view.state.doc.forEach((node, position) => {
      if (at < 0 && (node.attrs.key === key || (node.attrs.value as { _key?: string } | null | undefined)?._key === key)) at = position;
    });
    if (at < 0) return;
    const { state } = this.view;
    this.view.dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(at + 1))));
    this.view.focus();
    const dom = this.view.nodeDOM(at);
    if (dom instanceof HTMLElement) dom.scrollIntoView({ block: "center" });
  }

  /** What is written, now. */
  get value(): Blocks {
    return toValue(this.view.state.doc) ?? [];
  }

  /** Remembers what is written now, so that it can be replaced later without what others write until then. */
  follow(): Followed {
    const followed = { doc: this.view.state.doc, since: new Mapping() };
    this.#followed.add(followed);
    return followed;
  }

  unfollow(followed: Followed): void {
    this.#followed.delete(followed);
  }

  /** Puts another value in the place of what was written once, as something that can be taken back. */
  replace({ doc, since }: Followed, value: Blocks): void {
    const transaction = takeIn(this.view.state.tr, doc, toDocument(value), since);
    this.view.dispatch(transaction.setMeta(FOREIGN, false).setMeta("addToHistory", true));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  destroy(): void {
    this.flush();
    removeEventListener("pagehide", this.flush);
    document.removeEventListener("visibilitychange", this.flush);
    this.view.destroy();
  }
}
