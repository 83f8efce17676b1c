// The head of a table: names of columns, by which it can be sorted, and the box that ticks every row.

import { useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useEffect, useRef, type Ref } from "react";

import { cx } from "~/lib/cx";

import type { Head } from "./columns";

interface HeadRowProps<Row> {
  heads: Head<Row>[];
  /** Ticks every row that is loaded, or none: how it stands, and what it does. */
  all?: { state: "none" | "some" | "all"; toggle: () => void } | undefined;
  ref?: Ref<HTMLTableSectionElement>;
}

export function HeadRow<Row>({ heads, all, ref }: HeadRowProps<Row>) {
  return (
    <thead ref={ref} role="rowgroup" className="sticky top-(--header-height) z-20 block overflow-hidden max-sm:sr-only">
      <tr role="row" className="grid min-w-(--table-least) grid-cols-(--table-columns) items-center border-y border-line bg-sunken">
        {all && (
          <th role="columnheader" className="flex ps-5">
            <AllBox {...all} />
          </th>
        )}
        {heads.map((head) => (
          <HeadCell key={head.column.id} head={head} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell<Row>({ head: { column, sorted, sort } }: { head: Head<Row> }) {
  const { header, align, headerHidden } = column;
  const isEnd = align === "end";
  const place = cx("min-w-0 px-3 text-sm font-medium text-muted first:ps-5 last:pe-5", isEnd ? "text-end" : "text-start");
  if (sorted === null) {
    return (
      <th role="columnheader" scope="col" className={cx("truncate py-2", place)}>
        {headerHidden ? <span className="sr-only">{header}</span> : header}
      </th>
    );
  }
  const Arrow = sorted === undefined ? ChevronsUpDown : sorted === "ascending" ? ArrowUp : ArrowDown;
  return (
    <th role="columnheader" scope="col" aria-sort={sorted ?? "none"} className={place}>
      <button
        type="button"
        onClick={sort}
        className={cx(
          "group -mx-1.5 inline-flex max-w-full items-center gap-1 rounded-sm px-1.5 py-2 text-sm font-medium -outline-offset-2 hover:text-ink pointer-coarse:min-h-11",
          sorted && "text-ink",
          isEnd && "flex-row-reverse",
        )}
      >
        <span className="truncate">{header}</span>
        <Arrow aria-hidden className={cx("size-3.5 shrink-0", !sorted && "opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-60")} />
      </button>
    </th>
  );
}

function AllBox({ state, toggle }: { state: "none" | "some" | "all"; toggle: () => void }) {
  const { t } = useLingui();
  const box = useRef<HTMLInputElement>(null);
  // There is no attribute for it.
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === "some";
  }, [state]);
  return <input ref={box} type="checkbox" aria-label={t`Select the rows that are loaded`} checked={state === "all"} onChange={toggle} className="size-4" />;
}
