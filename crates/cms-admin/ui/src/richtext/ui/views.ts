// Nodes with controls of their own: React draws the controls into a place that ProseMirror leaves alone.

import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from "prosemirror-view";

/** A node on the page with a place for what React draws. */
export interface Shown {
  id: number;
  place: HTMLElement;
  node: Node;
  isSelected: boolean;
  position: () => number | undefined;
}

/** All of them, for whoever draws. */
export class Shelf {
  #all: readonly Shown[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  readonly get = (): readonly Shown[] => this.#all;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(shown: Omit<Shown, "id">): number {
    const id = ++this.#last;
    this.#all = [...this.#all, { ...shown, id }];
    this.#tellSoon();
    return id;
  }

  /** At once: what is typed into a control must be there when the browser looks. */
  change(id: number, change: Partial<Shown>): void {
    this.#all = this.#all.map((shown) => (shown.id === id ? { ...shown, ...change } : shown));
    this.#tell();
  }

  remove(id: number): void {
    this.#all = this.#all.filter((shown) => shown.id !== id);
    this.#tellSoon();
  }

  /** Many come and go at once, as when a text is opened. */
  #tellSoon(): void {
    const all = this.#all;
    queueMicrotask(() => all === this.#all && this.#tell());
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

interface Shape {
  className: string;
  tag?: string;
  /** Where the node's own text or blocks are. */
  content?: () => { outer: HTMLElement; inner: HTMLElement };
  /** What the outer element says of the node. */
  attributes?: (node: Node) => Record<string, string>;
}

class PortalView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM?: HTMLElement;
  readonly #id: number;
  readonly #shelf: Shelf;
  readonly #shape: Shape;
  #node: Node;

  constructor(shelf: Shelf, shape: Shape, node: Node, _view: EditorView, getPos: () => number | undefined) {
    this.#shelf = shelf;
    this.#shape = shape;
    this.#node = node;
    this.dom = document.createElement(shape.tag ?? "div");
    this.dom.className = shape.className;
    this.#say();
    const place = document.createElement(node.isInline ? "span" : "div");
    place.className = "rt-controls";
    place.contentEditable = "false";
    this.dom.append(place);
    if (shape.content) {
      const { outer, inner } = shape.content();
      this.dom.append(outer);
      this.contentDOM = inner;
    }
    this.#id = shelf.add({ place, node, isSelected: false, position: getPos });
  }

  #say(): void {
    for (const [name, value] of Object.entries(this.#shape.attributes?.(this.#node) ?? {})) this.dom.setAttribute(name, value);
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    if (node !== this.#node) {
      const isSame = node.attrs === this.#node.attrs;
      this.#node = node;
      this.#say();
      if (!isSame) this.#shelf.change(this.#id, { node });
    }
    return true;
  }

  selectNode(): void {
    this.dom.classList.add("ProseMirror-selectednode");
    this.#shelf.change(this.#id, { isSelected: true });
  }

  deselectNode(): void {
    this.dom.classList.remove("ProseMirror-selectednode");
    this.#shelf.change(this.#id, { isSelected: false });
  }

  stopEvent(event: Event): boolean {
    const target = event.target as HTMLElement | null;
    return !/^drag|^drop/.test(event.type) && !!target?.closest("input, textarea, select, button, a, summary, [role=dialog]") && target.closest(".rt-controls") !== null;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    if (mutation.type === "selection") return mutation.target instanceof Element && mutation.target.closest("input, textarea") !== null;
    return !this.contentDOM || !this.contentDOM.contains(mutation.target);
  }

  destroy(): void {
    this.#shelf.remove(this.#id);
  }
}

function box(): { outer: HTMLElement; inner: HTMLElement } {
  const element = document.createElement("div");
  return { outer: element, inner: element };
}

function pre(): { outer: HTMLElement; inner: HTMLElement } {
  const [outer, inner] = [document.createElement("pre"), document.createElement("code")];
  outer.dir = "ltr";
  outer.spellcheck = false;
  outer.append(inner);
  return { outer, inner };
}

export function nodeViews(shelf: Shelf): Record<string, NodeViewConstructor> {
  const view =
    (shape: Shape): NodeViewConstructor =>
    (node, view, getPos) =>
      new PortalView(shelf, shape, node, view, getPos);
  return {
    object: view({ className: "rt-object" }),
    inlineObject: view({ className: "rt-chip", tag: "span" }),
    code: view({ className: "rt-code", content: pre }),
    callout: view({ className: "rt-callout", tag: "aside", content: box, attributes: (node) => ({ "data-tone": String(node.attrs.tone) }) }),
    toggle: view({ className: "rt-toggle", content: box }),
  };
}
