// The map as a table: what each collection refers to, and what refers to it.

import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useMemo, useState, type ReactNode } from "react";

import { Badge } from "~/components/Badge";
import { Button } from "~/components/Button";
import { Card } from "~/components/Card";
import type { Column } from "~/table/columns";
import { DataTable } from "~/table/DataTable";

import { arrowsOf, type Box, type Row } from "./relations";
import { useCount } from "./useCount";

/** How many collections are shown at first, and more at each asking. */
const PAGE = 100;

interface Line {
  box: Box;
  referrers: { box: Box; row: Row }[];
}

export function RelationList({ boxes }: { boxes: Box[] }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(PAGE);
  const lines = useMemo(() => {
    const lines = boxes.map((box): Line => ({ box, referrers: [] }));
    for (const { from, row, to } of arrowsOf(boxes)) {
      const [box, reference] = [boxes[from], boxes[from]?.rows[row]];
      if (box && reference) lines[to]?.referrers.push({ box, row: reference });
    }
    return lines;
  }, [boxes]);
  const columns: Column<Line>[] = [
    { id: "collection", header: t`Collection`, primary: true, width: { least: 10, share: 1 }, cell: ({ box }) => <Name box={box} /> },
    { id: "to", header: t`Refers to`, phone: "labelled", width: { least: 14, share: 2 }, cell: ({ box }) => <References rows={box.rows} boxes={boxes} /> },
    { id: "from", header: t`Referred to by`, phone: "labelled", width: { least: 12, share: 2 }, cell: ({ referrers }) => <Referrers of={referrers} /> },
  ];
  const more = Math.min(PAGE, lines.length - shown);
  return (
    <Card flush footer={more > 0 && <Button onClick={() => setShown(shown + PAGE)}>{t`Show ${more} more`}</Button>}>
      <DataTable label={t`Relations`} columns={columns} rows={lines.slice(0, shown)} rowKey={({ box }) => box.slug} />
    </Card>
  );
}

function Name({ box }: { box: Box }) {
  return (
    <span className="grid min-w-0 gap-0.5">
      <To box={box} />
      <code dir="ltr" className="font-mono text-xs break-all text-muted">
        {box.slug}
      </code>
      {box.isMissing && (
        <span>
          <Badge tone="bad">
            <Trans>Does not exist</Trans>
          </Badge>
        </span>
      )}
    </span>
  );
}

/** A collection, as a link where there is one. */
function To({ box: { slug, label, isMissing } }: { box: Box }) {
  const name = <bdi className="wrap-anywhere">{label}</bdi>;
  if (isMissing) return name;
  return (
    <Link to="/model/$collection" params={{ collection: slug }} className="rounded-sm font-medium underline-offset-2 hover:underline">
      {name}
    </Link>
  );
}

function Several({ children }: { children: ReactNode[] }) {
  if (children.length === 0) {
    return (
      <span className="text-faint">
        <Trans>Nothing</Trans>
      </span>
    );
  }
  return <ul className="grid min-w-0 gap-1">{children}</ul>;
}

function References({ rows, boxes }: { rows: Row[]; boxes: Box[] }) {
  const count = useCount();
  return (
    <Several>
      {rows.map((row) => {
        const box = row.target === undefined ? undefined : boxes[row.target];
        return (
          <li key={row.slug} className="min-w-0 wrap-anywhere">
            <bdi>{row.label}</bdi> <span aria-hidden>→</span>{" "}
            <span className="sr-only">
              <Trans>refers to</Trans>
            </span>{" "}
            {box ? <To box={box} /> : <Trans>any collection</Trans>} <span className="text-sm text-muted">({count(row.count)})</span>
          </li>
        );
      })}
    </Several>
  );
}

function Referrers({ of }: { of: Line["referrers"] }) {
  return (
    <Several>
      {of.map(({ box, row }) => (
        <li key={`${box.slug}.${row.slug}`} className="min-w-0 wrap-anywhere">
          <To box={box} /> <span aria-hidden>·</span> <bdi>{row.label}</bdi>
        </li>
      ))}
    </Several>
  );
}
