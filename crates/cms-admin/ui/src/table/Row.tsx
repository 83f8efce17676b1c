// One row of a table; on phones a card with its name on top and the rest in a line below.

import { memo, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { cx } from "~/lib/cx";

import type { Column } from "./columns";
import { ActiveRow } from "./RowLink";

interface RowProps<Row> {
  row: Row;
  columns: Column<Row>[];
  index: number;
  /** Where it stands among all rows, for screen readers, when not all of them are there. */
  position?: number | undefined;
  isActive?: boolean;
  /** Whether it is selected; undefined where rows cannot be. */
  isSelected?: boolean | undefined;
  /** What ticking its box does, as in “Select Moby Dick”. */
  selectLabel?: string;
  /** Ticks its box; a range goes from the row that was ticked last. */
  onSelect?: ((index: number, isRange: boolean) => void) | undefined;
  /** Whether it has a box where others have one. */
  maySelect?: boolean;
  /** Texts are cut instead of wrapped: each row is as high as the next. */
  isEven?: boolean;
  className?: string;
  /** How far down it is, where rows are placed by hand. */
  top?: number;
  height?: number;
}

function TableRow<Row>({ row, columns, index, position, isActive = true, isSelected, selectLabel, onSelect, maySelect = true, isEven, className, top, height }: RowProps<Row>) {
  return (
    <ActiveRow value={isActive}>
      <tr
        role="row"
        aria-rowindex={position}
        data-row={index}
        data-selected={isSelected || undefined}
        style={top === undefined ? undefined : { transform: `translateY(${top}px)`, height }}
        className={cx(
          "group relative grid min-h-11 min-w-(--table-least) items-center border-b border-line hover:bg-hover/50 data-selected:bg-accent-soft/60",
          "sm:grid-cols-(--table-columns)",
          "max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-4",
          onSelect && "max-sm:ps-12",
          // What finds no place in the line below the name is cut.
          isEven ? "max-sm:content-start max-sm:overflow-hidden max-sm:py-2" : "max-sm:content-center max-sm:py-3",
          className,
        )}
      >
        {onSelect && (
          <td role="cell" className="relative z-10 flex self-stretch sm:ps-5 max-sm:absolute! max-sm:inset-y-0 max-sm:start-0">
            {maySelect && <SelectBox label={selectLabel} isSelected={isSelected === true} isActive={isActive} onToggle={(isRange) => onSelect(index, isRange)} />}
          </td>
        )}
        {columns.map((column) => (
          <Cell key={column.id} column={column} isEven={isEven}>
            {column.cell(row)}
          </Cell>
        ))}
      </tr>
    </ActiveRow>
  );
}

// A list is drawn anew with each row that scrolls in: the others stay as they are.
export default memo(TableRow) as typeof TableRow;

function Cell<Row>({ column, isEven, children }: { column: Column<Row>; isEven: boolean | undefined; children: ReactNode }) {
  const { primary, headerHidden, align, phone = "line", header, className } = column;
  return (
    <td
      role="cell"
      className={cx(
        "min-w-0 sm:px-3 sm:first:ps-5 sm:last:pe-5",
        isEven ? "sm:py-1" : "sm:py-2",
        isEven && !headerHidden && "truncate",
        align === "end" && "sm:text-end",
        primary && "max-sm:basis-full max-sm:pe-10",
        headerHidden && "relative z-10 max-sm:absolute! max-sm:end-2 max-sm:top-1.5",
        !primary && !headerHidden && "max-sm:text-sm max-sm:text-muted",
        phone === "hidden" && "max-sm:hidden",
        phone === "labelled" && "max-sm:flex max-sm:basis-full max-sm:flex-wrap max-sm:items-center max-sm:gap-2",
        className,
      )}
    >
      {phone === "labelled" && !primary && !headerHidden && (
        <span aria-hidden className="sm:hidden">
          {header}
        </span>
      )}
      {children}
    </td>
  );
}

/** The box of a row, with ground around it to press. */
function SelectBox({ isSelected, label, onToggle, isActive }: { isSelected: boolean; label: string | undefined; onToggle: (isRange: boolean) => void; isActive: boolean }) {
  const press = (event: MouseEvent | KeyboardEvent) => onToggle(event.shiftKey);
  return (
    <label className="-ms-5 flex w-11 cursor-pointer items-center select-none ps-5 max-sm:ms-0 max-sm:w-12 max-sm:ps-4" onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        data-control="select"
        aria-label={label}
        tabIndex={isActive ? 0 : -1}
        checked={isSelected}
        // The click knows whether Shift is held; the change does not.
        onClick={press}
        onChange={() => undefined}
        className="size-4"
      />
    </label>
  );
}
