// Where boxes stand, so that what belongs together is together. Slow for what is much entangled: it runs in a worker (`arrange.worker.ts`).
//
// What is connected is laid out by dagre, each part alone; the parts stand beside each other as lines of text do. A column that would be far taller than the
// rest is wide is broken into several.

import { Graph, layout } from "@dagrejs/dagre";

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** From one thing to another, each by its place in a list. */
export interface Edge {
  from: number;
  to: number;
}

export interface Asked {
  sizes: Size[];
  edges: Edge[];
  /** Everything in rows, whatever belongs together: there was no time for more. */
  isPlain: boolean;
}

export interface Arranged extends Size {
  /** The corner of each thing where its x and y are least. */
  places: Point[];
  /** Where each edge bends on its way around things. */
  bends: Point[][];
}

/** Between things, and between parts that are not connected. */
const GAP = { things: 28, ranks: 96, parts: 56 };
/** A part that is taller than this many times its width, and than any screen, is broken. */
const TALL = { times: 1.6, least: 1400 };
/** How much wider than tall the whole is to be, as screens are. */
const WIDE = 1.6;

/** A part of the whole, with its own corner at nothing. */
interface Part extends Size {
  members: number[];
  edges: number[];
  places: Point[];
  bends: Point[][];
}

export function arrange({ sizes, edges, isPlain }: Asked): Arranged {
  const parts = partsOf(sizes.length, edges).map(({ members, edges: own }) => {
    if (own.length === 0) return alone(members, sizes);
    const ends = own.map((edge) => edges[edge]).filter((edge) => edge !== undefined);
    return isPlain ? inRows(members, own, sizes, ends) : broken(ordered(members, own, sizes, ends), sizes);
  });
  const area = parts.reduce((sum, { width, height }) => sum + (width + GAP.parts) * (height + GAP.parts), 0);
  const most = Math.max(Math.sqrt(area * WIDE), ...parts.map(({ width }) => width));
  // The largest first; what has no relations comes last, in its own order.
  const sorted = [...parts].sort((a, b) => b.edges.length - a.edges.length || b.members.length - a.members.length);
  const places = new Array<Point>(sizes.length);
  const bends = new Array<Point[]>(edges.length).fill([]);
  let [x, y, line, width] = [0, 0, 0, 0];
  for (const part of sorted) {
    if (x > 0 && x + part.width > most) [x, y, line] = [0, y + line + GAP.parts, 0];
    const moved = ({ x: left, y: top }: Point) => ({ x: left + x, y: top + y });
    part.members.forEach((member, n) => (places[member] = moved(part.places[n] ?? { x: 0, y: 0 })));
    part.edges.forEach((edge, n) => (bends[edge] = (part.bends[n] ?? []).map(moved)));
    x += part.width + GAP.parts;
    line = Math.max(line, part.height);
    width = Math.max(width, x - GAP.parts);
  }
  return { places, bends, width, height: y + line };
}

/** What is connected, each with the edges in it. */
function partsOf(count: number, edges: readonly Edge[]): { members: number[]; edges: number[] }[] {
  const leaders = Array.from({ length: count }, (_, n) => n);
  const leaderOf = (n: number): number => {
    let leader = n;
    while (leaders[leader] !== leader) {
      // Each look makes the way of the next one shorter.
      leaders[leader] = leaders[leaders[leader] ?? leader] ?? leader;
      leader = leaders[leader] ?? leader;
    }
    return leader;
  };
  for (const { from, to } of edges) leaders[leaderOf(from)] = leaderOf(to);
  const parts = new Map<number, { members: number[]; edges: number[] }>();
  for (let n = 0; n < count; n++) {
    const leader = leaderOf(n);
    const part = parts.get(leader);
    if (part) part.members.push(n);
    else parts.set(leader, { members: [n], edges: [] });
  }
  // What refers to itself is drawn beside it, and is no matter of where it stands.
  edges.forEach(({ from, to }, edge) => from !== to && parts.get(leaderOf(from))?.edges.push(edge));
  return [...parts.values()];
}

function alone(members: number[], sizes: readonly Size[]): Part {
  const { width, height } = sizeOf(sizes, members[0]);
  return { members, edges: [], places: [{ x: 0, y: 0 }], bends: [], width, height };
}

function sizeOf(sizes: readonly Size[], n: number | undefined): Size {
  return sizes[n ?? -1] ?? { width: 0, height: 0 };
}

/** In columns from what refers to what is referred to. */
function ordered(members: number[], own: number[], sizes: readonly Size[], ends: Edge[]): Part {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP.things, ranksep: GAP.ranks, edgesep: 14, ranker: "tight-tree" });
  for (const member of members) graph.setNode(String(member), { ...sizeOf(sizes, member) });
  ends.forEach(({ from, to }, n) => graph.setEdge(String(from), String(to), {}, String(n)));
  layout(graph);
  const places = members.map((member) => {
    const { x, y } = graph.node(String(member)) as Point;
    const { width, height } = sizeOf(sizes, member);
    return { x: x - width / 2, y: y - height / 2 };
  });
  const bends = ends.map(({ from, to }, n) => {
    const { points = [] } = graph.edge(String(from), String(to), String(n)) as { points?: Point[] };
    // Between the first and the last, every second point is beside things in its way; the others are half-way between columns.
    return points.slice(1, -1).flatMap(({ x, y }, n) => (n % 2 === 1 ? [{ x, y }] : []));
  });
  return framed({ members, edges: own, places, bends }, sizes);
}

/** Around what there is. */
function framed(part: Omit<Part, "width" | "height">, sizes: readonly Size[]): Part {
  const right = part.places.map(({ x }, n) => x + sizeOf(sizes, part.members[n]).width);
  const bottom = part.places.map(({ y }, n) => y + sizeOf(sizes, part.members[n]).height);
  const points = part.bends.flat();
  const left = least([...part.places, ...points].map(({ x }) => x));
  const top = least([...part.places, ...points].map(({ y }) => y));
  const moved = ({ x, y }: Point) => ({ x: x - left, y: y - top });
  return {
    ...part,
    places: part.places.map(moved),
    bends: part.bends.map((bends) => bends.map(moved)),
    width: -least([...right, ...points.map(({ x }) => x)].map((x) => -x)) - left,
    height: -least([...bottom, ...points.map(({ y }) => y)].map((y) => -y)) - top,
  };
}

function least(values: number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

/** The same with columns that are no taller than the rest is wide. Edges then go their own ways. */
function broken(part: Part, sizes: readonly Size[]): Part {
  if (part.height <= TALL.least || part.height <= TALL.times * part.width) return part;
  const columns = new Map<number, number[]>();
  part.members.forEach((member, n) => {
    const { x } = part.places[n] ?? { x: 0 };
    const middle = Math.round(x + sizeOf(sizes, member).width / 2);
    columns.set(middle, [...(columns.get(middle) ?? []), n]);
  });
  const most = Math.max(TALL.least, Math.sqrt(part.members.reduce((sum, member) => sum + areaOf(sizeOf(sizes, member)), 0) / WIDE));
  const places = [...part.places];
  let x = 0;
  for (const [, column] of [...columns].sort(([a], [b]) => a - b)) {
    column.sort((a, b) => (part.places[a]?.y ?? 0) - (part.places[b]?.y ?? 0));
    let [y, widest] = [0, 0];
    for (const n of column) {
      const { width, height } = sizeOf(sizes, part.members[n]);
      if (y > 0 && y + height > most) [x, y, widest] = [x + widest + GAP.parts, 0, 0];
      places[n] = { x, y };
      y += height + GAP.things;
      widest = Math.max(widest, width);
    }
    x += widest + GAP.ranks;
  }
  return framed({ ...part, places, bends: part.bends.map(() => []) }, sizes);
}

function areaOf({ width, height }: Size): number {
  return (width + GAP.parts) * (height + GAP.things);
}

/** In rows, what is most connected first. */
function inRows(members: number[], own: number[], sizes: readonly Size[], ends: Edge[]): Part {
  const degrees = new Map<number, number>();
  for (const end of ends.flatMap(({ from, to }) => [from, to])) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  const sorted = [...members].sort((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0));
  const most = Math.sqrt(members.reduce((sum, member) => sum + areaOf(sizeOf(sizes, member)), 0) * WIDE);
  let [x, y, line] = [0, 0, 0];
  const places = sorted.map((member) => {
    const { width, height } = sizeOf(sizes, member);
    if (x > 0 && x + width > most) [x, y, line] = [0, y + line + GAP.things, 0];
    const place = { x, y };
    x += width + GAP.parts;
    line = Math.max(line, height);
    return place;
  });
  return framed({ members: sorted, edges: own, places, bends: ends.map(() => []) }, sizes);
}
