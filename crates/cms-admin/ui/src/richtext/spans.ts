// Text between Portable Text and the editor: spans with names of marks there, text with marks here.

import type { Fragment, Mark, Node } from "prosemirror-model";

import { isSame } from "~/lib/same";

import { annotation, decorator, inlineObject, schema } from "./schema";
import { isSpan, type Typed } from "./value";

/** What a text of the editor is in Portable Text. */
export interface Text {
  children: Typed[];
  definitions: Typed[];
}

/** The text of spans, whose marks may be defined beside them. */
export function fromSpans(children: Typed[], definitions: Typed[]): Node[] {
  const defined = new Map(definitions.map((definition) => [definition._key, definition]));
  const mark = (name: string): Mark => {
    const definition = defined.get(name);
    return definition ? annotation.create({ definition }) : decorator.create({ name });
  };
  return children.flatMap((child) => {
    if (!isSpan(child)) return [inlineObject.create({ value: child })];
    // There is no text without letters here: a span that is empty is there again as long as nobody touches its block.
    return child.text === "" ? [] : [schema.text(child.text, setOf((child.marks ?? []).map(mark)))];
  });
}

/** Marks in the order that the schema gives them, each once. */
function setOf(marks: Mark[]): Mark[] {
  return marks.reduce<Mark[]>((set, mark) => mark.addToSet(set) as Mark[], []);
}

/** The spans of a text. They have the keys of the spans that they were made from, since comments and links hang on them. */
export function toSpans(content: Fragment, before: Text): Text {
  const definitions = new Definitions(before.definitions, usedBy(before.children));
  const children: Typed[] = [];
  content.forEach((node) => {
    children.push(node.isText ? { _type: "span", text: node.text ?? "", marks: node.marks.map((mark) => definitions.nameOf(mark)) } : (node.attrs.value as Typed));
  });
  if (children.length === 0) children.push({ _type: "span", text: "", marks: [] });
  return { children: withKeys(children, before.children), definitions: definitions.all() };
}

function usedBy(children: Typed[]): Set<string> {
  return new Set(children.filter(isSpan).flatMap(({ marks }) => marks ?? []));
}

/** The definitions of a text: those that something needs, and those that nothing needed before either. */
class Definitions {
  readonly #before: Typed[];
  readonly #kept: Map<string, Typed>;

  constructor(before: Typed[], used: Set<string>) {
    this.#before = before;
    this.#kept = new Map(before.flatMap((definition) => (definition._key !== undefined && !used.has(definition._key) ? [[definition._key, definition]] : [])));
  }

  /** What a span calls a mark. */
  nameOf(mark: Mark): string {
    if (mark.type === decorator) return mark.attrs.name as string;
    const definition = mark.attrs.definition as Typed;
    let key = definition._key ?? this.#free();
    const known = this.#kept.get(key);
    // Texts of two blocks that came together may have another definition under the same key.
    if (known && !isSame(known, definition)) {
      const same = [...this.#kept].find(([, other]) => isSame({ ...other, _key: undefined }, { ...definition, _key: undefined }));
      key = same ? same[0] : this.#free();
    }
    if (!this.#kept.has(key)) this.#kept.set(key, key === definition._key ? definition : { ...definition, _key: key });
    return key;
  }

  /** A key that nothing has. The same text has the same ones each time, as its spans do. */
  #free(): string {
    for (let n = 0; ; n++) {
      const key = `m${n}`;
      if (!this.#kept.has(key) && !this.#before.some(({ _key }) => _key === key)) return key;
    }
  }

  /** In the order in which they were, and then as they are needed. */
  all(): Typed[] {
    const old = this.#before.filter(({ _key }) => _key !== undefined && this.#kept.has(_key));
    const known = new Set(old.map(({ _key }) => _key));
    return [...old.map(({ _key }) => this.#kept.get(_key ?? "")).filter((definition) => definition !== undefined), ...[...this.#kept.values()].filter(({ _key }) => !known.has(_key))];
  }
}

/** Spans with the keys of those that they were made from: first the ones that are the same, then, between those, one after the other. */
function withKeys(children: Typed[], before: Typed[]): Typed[] {
  const origin = new Array<Typed | undefined>(children.length);
  let next = 0;
  children.forEach((child, n) => {
    const same = before.findIndex((old, at) => at >= next && isAlike(old, child));
    if (same < 0) return;
    origin[n] = before[same];
    next = same + 1;
  });
  let at = 0;
  const used = new Set(origin.filter((old) => old !== undefined));
  const keys = new Keys(before);
  return children.map((child, n) => {
    const known = origin[n];
    if (known) {
      at = before.indexOf(known) + 1;
      return keys.given(known);
    }
    if (!isSpan(child)) return keys.given(child);
    const old = before[at];
    if (!old || !isSpan(old) || used.has(old)) return keys.given(child);
    at += 1;
    return keys.given({ ...old, text: child.text, marks: child.marks });
  });
}

/** Keys of the spans of one text. The same text has the same ones each time, so that what is typed does not name all that was typed before anew. */
class Keys {
  readonly #before: Set<string | undefined>;
  readonly #taken = new Set<string>();
  #next = 0;

  constructor(before: Typed[]) {
    this.#before = new Set(before.map(({ _key }) => _key));
  }

  /** With a key that nothing else beside it has. */
  given(child: Typed): Typed {
    const { _type, _key, ...rest } = child;
    if (_key !== undefined && !this.#taken.has(_key)) {
      this.#taken.add(_key);
      return child;
    }
    return { _type, _key: this.#new(), ...rest };
  }

  #new(): string {
    for (;;) {
      const key = `s${this.#next++}`;
      if (this.#before.has(key) || this.#taken.has(key)) continue;
      this.#taken.add(key);
      return key;
    }
  }
}

/** Whether a span says what another one said. The order of marks says nothing. */
function isAlike(old: Typed, child: Typed): boolean {
  if (!isSpan(old) || !isSpan(child)) return old === child;
  const [one, other] = [old.marks ?? [], child.marks ?? []];
  return old.text === child.text && one.length === other.length && one.every((mark) => other.includes(mark));
}
