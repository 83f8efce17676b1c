// Tables that become lists of cards on phones: each cell then shows its column's name.

import type { ReactNode } from "react";

import { cx } from "~/lib/cx";

export interface Column<Row> {
  /** Stable name of the column. */
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers and buttons stand at the end. */
  align?: "start" | "end";
  /** Reads the header out without showing it, as for buttons. */
  headerHidden?: boolean;
  /** The cell that names the row: it is the heading of the card on phones. */
  primary?: boolean;
  className?: string;
}

interface TableProps<Row> {
  /** What the table lists: read out. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The rows are being renewed: they stay, and fade. */
  stale?: boolean;
}

export function Table<Row>({ label, columns, rows, rowKey, stale }: TableProps<Row>) {
  return (
    <div className={cx("overflow-x-auto transition-opacity", stale && "opacity-60")} aria-busy={stale || undefined}>
      {/* The roles are named since a table whose parts are drawn as blocks is no table to some screen readers. */}
      <table role="table" aria-label={label} className="w-full border-collapse text-start max-sm:block">
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row" className="border-y border-line bg-sunken">
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                className={cx("px-3 py-2 text-sm font-medium whitespace-nowrap text-muted first:ps-5 last:pe-5", column.align === "end" ? "text-end" : "text-start")}
              >
                {column.headerHidden ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block max-sm:border-t max-sm:border-line">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className="border-b border-line last:border-b-0 hover:bg-hover/50 max-sm:grid max-sm:gap-1.5 max-sm:px-5 max-sm:py-3.5">
              {columns.map((column) => (
                <td
                  key={column.id}
                  role="cell"
                  className={cx(
                    "min-w-0 align-middle sm:px-3 sm:py-2.5 sm:first:ps-5 sm:last:pe-5",
                    column.align === "end" && "sm:text-end",
                    !column.primary && !column.headerHidden && "max-sm:grid max-sm:grid-cols-[8rem_1fr] max-sm:gap-2",
                    column.className,
                  )}
                >
                  {!column.primary && !column.headerHidden && (
                    <span aria-hidden className="text-muted sm:hidden">
                      {column.header}
                    </span>
                  )}
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
