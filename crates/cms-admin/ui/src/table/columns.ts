// The columns of a table: what a screen says of them, and which of them are shown, in which order and how wide.

import { columnOrderingFeature, columnVisibilityFeature, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from "@tanstack/react-table";
import { useMemo, type CSSProperties, type ReactNode } from "react";

/** A column of a table over rows of one kind. */
export interface Column<Row> {
  /** Stable name of the column. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and buttons stand at the end. */
  align?: "start" | "end";
  /** Reads the header out without showing it, as for buttons. */
  headerHidden?: boolean;
  /** The cell that names the row: it is the heading of the card on phones, and always shown. */
  primary?: boolean;
  /** Least width in rem, and the share of what is left; a column without a share keeps its width. */
  width?: { least: number; share?: number };
  /** What the server calls an order by this column; it cannot be sorted by where this is left out. */
  sort?: string;
  /** The direction that is tried first, as `desc` for dates. */
  first?: "asc" | "desc";
  /** Where the cell is on a phone: in the line below the heading unless said otherwise. */
  phone?: "line" | "labelled" | "hidden";
  className?: string;
}

/** The order of a list. */
export interface Order {
  by: string;
  desc: boolean;
}

const features = tableFeatures({ columnVisibilityFeature, columnOrderingFeature, rowSortingFeature });

/** What a column is as wide as where it says nothing. */
const USUAL: { least: number; share?: number } = { least: 7, share: 1 };

/** Rows are the server's business: the table is asked for its columns alone. */
const NO_ROWS: never[] = [];

export interface ColumnsOptions {
  /** The ids of the columns that are shown, in their order; all of them when left out. */
  shown?: string[] | undefined;
  order?: Order | undefined;
  onOrder?: ((order: Order) => void) | undefined;
}

export interface Head<Row> {
  column: Column<Row>;
  /** How the list is sorted by this column; undefined where it is not, null where it cannot be. */
  sorted: "ascending" | "descending" | undefined | null;
  /** Sorts by it, or the other way around. */
  sort: () => void;
}

/** The columns that are shown, with what their heads do. */
export function useColumns<Row extends object>(columns: Column<Row>[], { shown, order, onOrder }: ColumnsOptions): Head<Row>[] {
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          header: column.header,
          // Whatever it is sorted by, the server does it; the table wants to know that there is something.
          accessorFn: () => column.id,
          enableSorting: column.sort !== undefined,
          sortDescFirst: column.first === "desc",
          enableHiding: !isFixed(column),
        }),
      ),
    [columns],
  );
  const visible = useMemo(() => visibility(columns, shown), [columns, shown]);
  const sorting = order ? columns.filter(({ sort }) => sort === order.by).map(({ id }) => ({ id, desc: order.desc })) : [];
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { ...visible, sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      const by = columns.find(({ id }) => id === next?.id)?.sort;
      if (next && by) onOrder?.({ by, desc: next.desc });
    },
  });
  return table.getVisibleLeafColumns().flatMap((leaf) => {
    const column = columns.find(({ id }) => id === leaf.id);
    if (!column) return [];
    const direction = leaf.getIsSorted();
    const sorted = !onOrder || !leaf.getCanSort() ? null : direction ? (direction === "desc" ? ("descending" as const) : ("ascending" as const)) : undefined;
    return [{ column, sorted, sort: () => leaf.toggleSorting(undefined, false) }];
  });
}

/** Whether a column is always shown: what names the row, and its buttons. */
export function isFixed({ primary, headerHidden }: Column<never>): boolean {
  return Boolean(primary ?? headerHidden);
}

/** What the table is told of a choice: the columns that name the row stay at the start and buttons at the end, whatever was chosen. */
function visibility<Row>(columns: Column<Row>[], shown: string[] | undefined) {
  const all = columns.map(({ id }) => id);
  if (!shown) return { columnOrder: all, columnVisibility: {} };
  const first = columns.filter(({ primary }) => primary).map(({ id }) => id);
  const last = columns.filter(({ headerHidden, primary }) => headerHidden && !primary).map(({ id }) => id);
  const chosen = shown.filter((id) => all.includes(id) && !first.includes(id) && !last.includes(id));
  const columnOrder = [...first, ...new Set(chosen), ...last];
  return { columnOrder, columnVisibility: Object.fromEntries(all.map((id) => [id, columnOrder.includes(id)])) };
}

/** Widths that depend on the columns alone, and not on what is in them: they are the same on each page. */
export function tableStyle<Row>(columns: Column<Row>[], hasBoxes: boolean): CSSProperties {
  const parts = columns.map(({ width }) => width ?? USUAL);
  const template = parts.map(({ least, share }) => (share ? `minmax(${least}rem, ${share}fr)` : `${least}rem`)).join(" ");
  const least = parts.reduce((sum, { least }) => sum + least, hasBoxes ? BOXES : 0);
  const variables: Record<`--${string}`, string> = { "--table-columns": hasBoxes ? `${BOXES}rem ${template}` : template, "--table-least": `${least}rem` };
  return variables;
}

/** How wide the column of boxes to tick is, in rem. */
const BOXES = 2.75;
