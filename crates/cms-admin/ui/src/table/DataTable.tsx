// A table over the rows that are there: a page of a list, or a short list. Long ones are for `EndlessTable`.

import { useCallback, useRef, useState } from "react";

import { cx } from "~/lib/cx";

import { tableStyle, useColumns, type Column, type ColumnsOptions } from "./columns";
import { HeadRow } from "./Head";
import { controlOf, useRowKeys } from "./keyboard";
import Row from "./Row";
import { useSidewaysHead } from "./useSidewaysHead";

interface DataTableProps<Row> extends ColumnsOptions {
  /** What the table lists: read out. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The rows are being renewed: they stay, and fade. */
  stale?: boolean;
}

export function DataTable<Row extends object>({ label, columns, rows, rowKey, stale, ...options }: DataTableProps<Row>) {
  const heads = useColumns(columns, options);
  const shown = heads.map(({ column }) => column);
  const { head, body } = useSidewaysHead();
  const [active, setActive] = useState(0);
  const table = useRef<HTMLTableElement>(null);
  // The last page may be shorter than the one before.
  const current = Math.min(active, rows.length - 1);
  const focus = useCallback((index: number, control: string) => {
    setActive(index);
    controlOf(table.current, index, control)?.focus();
  }, []);
  const keys = useRowKeys({ count: rows.length, focus, onActive: setActive });
  return (
    <div className={cx("overflow-clip transition-opacity first:rounded-t-lg last:rounded-b-lg", stale && "opacity-60")} aria-busy={stale || undefined}>
      {/* The roles are named since a table whose parts are drawn as blocks is no table to some screen readers. */}
      <table ref={table} role="table" aria-label={label} style={tableStyle(shown, false)} className="block w-full text-start max-sm:[--table-least:0]!">
        <HeadRow ref={head} heads={heads} />
        <tbody ref={body} role="rowgroup" {...keys} className="block overflow-x-auto max-sm:border-t max-sm:border-line">
          {rows.map((row, index) => (
            <Row key={rowKey(row)} row={row} columns={shown} index={index} isActive={index === current} className="last:border-b-0" />
          ))}
        </tbody>
      </table>
    </div>
  );
}
