// A model in the text of a file: what it has, or what is wrong with it and where. The text itself is what is sent on; nothing in it is read and written anew,
// so that no number changes. Slow for large files: it runs in a worker (`reading.worker.ts`).

import { parser } from "@lezer/json";

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree["topNode"];

/** What is known of a collection of a file before the server looks at it. It may be wrong in any way. */
export interface Outline {
  slug: string;
  label: string;
  fields: { slug: string; label: string; type: string }[];
}

/** What keeps a text from being a model. Lines count from one. */
export type Problem =
  | { kind: "encoding" | "empty" | "noModel" }
  | { kind: "syntax"; line: number; column: number; near: string }
  | { kind: "twice"; line: number; key: string }
  | { kind: "unknown"; line: number; key: string };

export interface Model {
  /** The collections as JSON, as they are written. */
  collections: string;
  outline: Outline[];
}

export class Reading {
  readonly problem: Problem | undefined;
  readonly model: Model | undefined;
  readonly #text: string;
  readonly #tree: Tree;
  #collections: SyntaxNode | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#tree = parser.parse(text);
    const read = this.#read();
    if ("kind" in read) this.problem = read;
    else this.model = read;
  }

  #read(): Problem | Model {
    if (this.#text.trim() === "") return { kind: "empty" };
    try {
      JSON.parse(this.#text);
    } catch {
      return this.#mistake();
    }
    const twice = this.#twice();
    if (twice) return twice;
    let root = this.#tree.topNode.firstChild;
    // What the API answered, as it is when somebody kept it.
    const answered = root && valueOf(this.#text, root, "data");
    if (answered && valueOf(this.#text, answered, "collections")) root = answered;
    const collections = root && valueOf(this.#text, root, "collections");
    if (!root || collections?.name !== "Array") return { kind: "noModel" };
    const unknown = membersOf(this.#text, root).find(({ key }) => key !== "collections" && key !== "version");
    if (unknown) return { kind: "unknown", line: this.#lineAt(unknown.value.from), key: unknown.key };
    this.#collections = collections;
    const written = this.#text.slice(collections.from, collections.to);
    return { collections: written, outline: (JSON.parse(written) as unknown[]).map(outlineOf) };
  }

  /** The line of a part of the collections by the server's path, as in `collections.0.fields.2.type`; that of what it would be in where it is not there. */
  lineOf(path: string): number | undefined {
    const steps = path.split(".");
    if (steps.shift() !== "collections" || !this.#collections) return undefined;
    let place: SyntaxNode = this.#collections;
    while (steps.length > 0) {
      const next = place.name === "Array" ? itemAt(place, steps.splice(0, 1)[0]) : this.#memberAt(place, steps);
      if (!next) break;
      place = next;
    }
    return this.#lineAt(place.from);
  }

  /** The member that the first steps name, which are taken off: a name may have dots in it. */
  #memberAt(object: SyntaxNode, steps: string[]): SyntaxNode | undefined {
    if (object.name !== "Object") return undefined;
    for (let count = 1; count <= steps.length; count++) {
      const found = valueOf(this.#text, object, steps.slice(0, count).join("."));
      if (!found) continue;
      steps.splice(0, count);
      return found;
    }
    return undefined;
  }

  /** Where the text ceases to be JSON. What is missing at the end is missing behind what is there. */
  #mistake(): Problem {
    let at = this.#text.length;
    this.#tree.iterate({
      enter: ({ type, from }) => {
        if (type.isError) at = Math.min(at, from);
        return at === this.#text.length || from < at;
      },
    });
    const behind = this.#text.slice(at);
    at = Math.min(at + behind.length - behind.trimStart().length, this.#text.trimEnd().length);
    const line = this.#lineAt(at);
    const column = at - this.#text.lastIndexOf("\n", at - 1);
    return { kind: "syntax", line, column, near: this.#text.slice(at, at + 24).split("\n")[0] ?? "" };
  }

  /** A name that an object has twice: programs disagree about which of them holds. */
  #twice(): Problem | undefined {
    const names: Set<string>[] = [];
    let found: Problem | undefined;
    this.#tree.iterate({
      enter: ({ name, from, to }) => {
        if (found) return false;
        if (name === "Object") names.push(new Set());
        if (name === "PropertyName") {
          const key = JSON.parse(this.#text.slice(from, to)) as string;
          const known = names.at(-1);
          if (known?.has(key)) found = { kind: "twice", line: this.#lineAt(from), key };
          known?.add(key);
        }
        return true;
      },
      leave: ({ name }) => {
        if (name === "Object") names.pop();
      },
    });
    return found;
  }

  #lineAt(at: number): number {
    let line = 1;
    for (let next = this.#text.indexOf("\n"); next !== -1 && next < at; next = this.#text.indexOf("\n", next + 1)) line++;
    return line;
  }
}

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

function* valuesIn(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) if (VALUES.has(child.name)) yield child;
}

function itemAt(array: SyntaxNode, step: string | undefined): SyntaxNode | undefined {
  if (step === undefined || !/^\d+$/.test(step)) return undefined;
  let left = Number(step);
  for (const item of valuesIn(array)) if (left-- === 0) return item;
  return undefined;
}

function membersOf(text: string, object: SyntaxNode): { key: string; value: SyntaxNode }[] {
  return object.getChildren("Property").flatMap((property) => {
    const [name, [value]] = [property.getChild("PropertyName"), valuesIn(property)];
    return name && value ? [{ key: JSON.parse(text.slice(name.from, name.to)) as string, value }] : [];
  });
}

function valueOf(text: string, object: SyntaxNode, key: string): SyntaxNode | undefined {
  return object.name === "Object" ? membersOf(text, object).find((member) => member.key === key)?.value : undefined;
}

function outlineOf(collection: unknown): Outline {
  const { slug, label, fields } = memberTexts(collection);
  return { slug, label: label || slug, fields: Array.isArray(fields) ? fields.map(memberTexts).map(({ slug, label, type }) => ({ slug, label: label || slug, type })) : [] };
}

function memberTexts(value: unknown): { slug: string; label: string; type: string; fields: unknown } {
  const { slug, label, type, fields } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const text = (given: unknown) => (typeof given === "string" ? given : "");
  return { slug: text(slug), label: text(label), type: text(type), fields };
}
