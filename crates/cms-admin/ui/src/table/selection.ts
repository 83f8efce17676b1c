// Which rows of a list are selected: some, by their ids, or all that match but some. It goes over pages, and survives that a row scrolls away.

import { useCallback, useRef, useState } from "react";

export type Selection<Row> =
  | { kind: "these"; rows: ReadonlyMap<string, Row> }
  | {
      kind: "all";
      /** How many match; undefined where nobody counted. */
      total: number | undefined;
      except: ReadonlyMap<string, Row>;
    };

export interface Selecting<Row> {
  selection: Selection<Row>;
  /** How many are selected; undefined where nobody knows how many match. */
  count: number | undefined;
  isEmpty: boolean;
  has: (id: string) => boolean;
  /** Selects a row or takes it out again; the next range begins at it. */
  toggle: (row: Row, index: number) => void;
  /** Selects rows, beside those that are. */
  add: (rows: Row[]) => void;
  /** Selects these and no others, such as those where something failed. */
  only: (rows: Row[]) => void;
  /** Selects all that match. */
  all: (total: number | undefined) => void;
  clear: () => void;
  /** The row that was toggled last. */
  anchor: () => number | undefined;
}

const none = <Row>(): Selection<Row> => ({ kind: "these", rows: new Map() });

/** The selection of a list; `scope` says what is listed, and another scope begins with nothing selected. */
export function useSelection<Row>(idOf: (row: Row) => string, scope: string): Selecting<Row> {
  const [state, setState] = useState({ scope, selection: none<Row>() });
  const anchor = useRef<number>(undefined);
  const isSame = state.scope === scope;
  if (!isSame) setState({ scope, selection: none() });
  const selection = isSame ? state.selection : none<Row>();
  const change = useCallback((to: (old: Selection<Row>) => Selection<Row>) => setState((old) => ({ scope: old.scope, selection: to(old.selection) })), []);
  const count = selection.kind === "these" ? selection.rows.size : selection.total === undefined ? undefined : Math.max(selection.total - selection.except.size, 0);
  return {
    selection,
    count,
    isEmpty: count === 0,
    has: (id) => isSelected(selection, id),
    toggle: (row, index) => {
      anchor.current = index;
      change((old) => toggled(old, idOf(row), row));
    },
    add: (rows) => change((old) => added(old, rows.map((row) => [idOf(row), row]))),
    only: (rows) => change(() => ({ kind: "these", rows: new Map(rows.map((row) => [idOf(row), row])) })),
    all: (total) => change(() => ({ kind: "all", total, except: new Map() })),
    clear: () => {
      anchor.current = undefined;
      change(none);
    },
    anchor: () => anchor.current,
  };
}

export function isSelected<Row>(selection: Selection<Row>, id: string): boolean {
  return selection.kind === "these" ? selection.rows.has(id) : !selection.except.has(id);
}

export function toggled<Row>(selection: Selection<Row>, id: string, row: Row): Selection<Row> {
  const rows = new Map(selection.kind === "these" ? selection.rows : selection.except);
  if (!rows.delete(id)) rows.set(id, row);
  return selection.kind === "these" ? { kind: "these", rows } : { ...selection, except: rows };
}

export function added<Row>(selection: Selection<Row>, rows: [string, Row][]): Selection<Row> {
  if (selection.kind === "these") return { kind: "these", rows: new Map([...selection.rows, ...rows]) };
  const except = new Map(selection.except);
  for (const [id] of rows) except.delete(id);
  return { ...selection, except };
}
