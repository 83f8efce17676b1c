// What nodes were made from, and what was made of them.
//
// Nodes never change, and those that nobody touches stay the same objects through every change of the document. So a node that was made from a block
// and is still the same object gives back that very block: what was not touched is byte for byte what it was, by construction.

import type { Node } from "prosemirror-model";

import { newKey, type Typed } from "./value";

/** What a node was made from, or what was made of it, as long as it is the same node. */
const origins = new WeakMap<Node, unknown>();
/** The node that was made from a block, a row or a cell. */
const firsts = new WeakMap<Typed, Node>();

/** Remembers what a node was made from. */
export function made(node: Node, from: Typed): Node {
  origins.set(node, from);
  firsts.set(from, node);
  return node;
}

/** What a node is in Portable Text. One that was changed and is as it was again is what it was. */
export function written(node: Node, write: () => Typed): Typed {
  if (!origins.has(node)) {
    const source = node.attrs.source as Typed | null | undefined;
    origins.set(node, source && firsts.get(source)?.eq(node) ? source : write());
  }
  return origins.get(node) as Typed;
}

/** Remembers the value that a document was made from. */
export function remember(document: Node, value: unknown): void {
  origins.set(document, value);
}

/** The value that a document was made from, if it is the same document. */
export function remembered(document: Node): { value: unknown } | undefined {
  return origins.has(document) ? { value: origins.get(document) } : undefined;
}

/** Each with a key of its own: whatever was copied comes second. */
export function unique(items: Typed[]): Typed[] {
  const keys = new Set<string>();
  return items.map((item) => {
    const { _key } = item;
    const isFree = _key !== undefined && !keys.has(_key);
    const key = isFree ? _key : newKey();
    keys.add(key);
    return isFree ? item : { ...item, _key: key };
  });
}

/** An object with some members anew: in the places where they were, the others behind them, and without those that are null. */
export function rewritten(source: Typed, members: Record<string, unknown>): Typed {
  const known = Object.entries(source).filter(([name]) => members[name] !== null);
  const old = known.map(([name, value]) => [name, name in members ? members[name] : value]);
  const more = Object.entries(members).filter(([name, value]) => value !== null && !(name in source));
  return Object.fromEntries([...old, ...more]) as Typed;
}
