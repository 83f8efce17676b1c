// A value that came from elsewhere, taken into the document that somebody is writing in: only what differs is replaced, so that the caret stays.

import { Fragment, Slice, type Attrs, type Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import type { Mapping } from "prosemirror-transform";

import { toBlock } from "./convert";
import { FOREIGN } from "./keys";

/** A stretch of the old document and what is there now, or a node whose attributes are others now. */
type Change = { from: number; to: number; content: Fragment } | { at: number; attributes: Attrs };

/** Changes a document so that it is another one. `since` are the changes that were made to it after it was `before`. */
export function takeIn(transaction: Transaction, before: Node, now: Node, since: Mapping): Transaction {
  // From the last to the first: what comes earlier stays where it is.
  for (const change of changes(before, now).reverse()) {
    if ("at" in change) {
      const { pos, deleted } = since.mapResult(change.at, 1);
      const node = deleted ? null : transaction.doc.nodeAt(pos);
      if (node && !node.isText) transaction.setNodeMarkup(pos, null, change.attributes);
    } else {
      const start = since.map(change.from, -1);
      const end = Math.max(since.map(change.to, 1), start);
      transaction.replace(start, end, new Slice(change.content, 0, 0));
    }
  }
  return transaction.setMeta(FOREIGN, true).setMeta("addToHistory", false);
}

function changes(before: Node, now: Node): Change[] {
  const [old, come] = [before.children, now.children];
  // The same block is the same text, to the last byte: the order of members counts.
  const kept = anchors(old.map(written), come.map(written));
  const found: Change[] = [];
  let [position, at, next] = [0, 0, 0];
  for (const [one, other] of [...kept, [old.length, come.length] as const]) {
    const gone = old.slice(at, one);
    const size = gone.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    found.push(...narrowed(gone, come.slice(next, other), position));
    position += size + (old[one]?.nodeSize ?? 0);
    [at, next] = [one + 1, other + 1];
  }
  return found;
}

const written = (node: Node): string => JSON.stringify(toBlock(node));

/** What differs between some nodes and others: within them, where each became another version of itself. */
function narrowed(gone: readonly Node[], come: readonly Node[], position: number): Change[] {
  if (gone.length === 0 && come.length === 0) return [];
  const to = position + gone.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  if (gone.length !== come.length || gone.some((node, n) => !isVersion(node, come[n]))) return [{ from: position, to, content: Fragment.from(come) }];
  let from = position;
  return gone.flatMap((node, n) => {
    const start = from;
    from += node.nodeSize;
    const now = come[n];
    return now && !node.eq(now) ? within(node, now, start) : [];
  });
}

/** What differs between two versions of a node. */
function within(node: Node, now: Node, position: number): Change[] {
  const attributes: Change[] = [{ at: position, attributes: now.attrs }];
  if (!node.isTextblock) return [...attributes, ...narrowed(node.children, now.children, position + 1)];
  const start = node.content.findDiffStart(now.content);
  const end = node.content.findDiffEnd(now.content);
  if (start === null || !end) return attributes;
  // Where a letter is there twice, both ends may have found the same one.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const content = now.content.cut(start, end.b + overlap);
  return [...attributes, { from: position + 1 + start, to: position + 1 + end.a + overlap, content }];
}

function isVersion(node: Node, other: Node | undefined): boolean {
  return other !== undefined && node.type === other.type && node.attrs.key === other.attrs.key;
}

/** Which of some texts stand in both lists, in the same order: as many as there can be, once each. */
function anchors(old: string[], now: string[]): [number, number][] {
  const places = new Map<string, number[]>();
  now.forEach((text, n) => {
    const known = places.get(text);
    if (known) known.push(n);
    else places.set(text, [n]);
  });
  const pairs = old.flatMap((text, n): [number, number][] => {
    const place = places.get(text)?.shift();
    return place === undefined ? [] : [[n, place]];
  });
  return longestRise(pairs);
}

/** The longest run of pairs whose second parts rise. */
function longestRise(pairs: [number, number][]): [number, number][] {
  const tails: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, place], n) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[n] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = n;
  });
  const run: [number, number][] = [];
  for (let n = tails.at(-1) ?? -1; n >= 0; n = previous[n] ?? -1) {
    const pair = pairs[n];
    if (pair) run.push(pair);
  }
  return run.reverse();
}
