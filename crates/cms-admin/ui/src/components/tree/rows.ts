// A tree as the rows that are seen, and the ways of the keyboard through them.

export interface TreeItem {
  id: string;
  /** What it is called: typing its first letters leads to it. */
  name: string;
  children?: readonly TreeItem[] | undefined;
}

export interface TreeRow<Item extends TreeItem> {
  item: Item;
  level: number;
  parent: string | undefined;
  isOpen: boolean;
  isBranch: boolean;
  at: number;
  of: number;
}

/** The rows that are seen: what lies in a closed branch is not. */
export function rowsOf<Item extends TreeItem>(items: readonly Item[], open: ReadonlySet<string>, level = 1, parent?: string): TreeRow<Item>[] {
  return items.flatMap((item, n) => {
    const children = (item.children ?? []) as readonly Item[];
    const isOpen = children.length > 0 && open.has(item.id);
    const row = { item, level, parent, isOpen, isBranch: children.length > 0, at: n + 1, of: items.length };
    return [row, ...(isOpen ? rowsOf(children, open, level + 1, item.id) : [])];
  });
}

/** What a key does at a row: where it leads, and whether a branch opens or closes. Undefined for keys that mean nothing here. */
export function press<Item extends TreeItem>(key: string, rows: TreeRow<Item>[], at: number): { to?: number; toggle?: string[] } | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const { id } = row.item;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { to: Math.max(at - 1, 0) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    // Towards the leaves: open what is closed, then step into it.
    case "Inward":
      return row.isBranch && !row.isOpen ? { toggle: [id] } : row.isOpen ? { to: at + 1 } : {};
    case "Outward":
      return row.isOpen ? { toggle: [id] } : row.parent === undefined ? {} : { to: rows.findIndex(({ item }) => item.id === row.parent) };
    case "*":
      return { toggle: rows.filter((other) => other.parent === row.parent && other.isBranch && !other.isOpen).map(({ item }) => item.id) };
    default:
      return undefined;
  }
}

/** The next row behind one whose name begins with what was typed; from the last it goes on with the first. */
export function named<Item extends TreeItem>(rows: TreeRow<Item>[], at: number, typed: string): number | undefined {
  const start = typed.length > 1 ? at : at + 1;
  const order = [...rows.keys()].map((n) => (n + start) % rows.length);
  return order.find((n) => rows[n]?.item.name.toLocaleLowerCase().startsWith(typed.toLocaleLowerCase()));
}
