// Rows of a repeater: added, doubled, moved and removed. Each has a key by which it is the same row for everybody who edits it.

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, ChevronDown, CircleAlert, Copy, Plus, Trash2 } from "lucide-react";
import { useId, useMemo, useState } from "react";

import type { Issue } from "~/api/errors";
import { Button, IconButton } from "~/components/Button";
import { cx } from "~/lib/cx";

import { Control } from "./Control";
import { Frame } from "./Frame";
import { shapedSubField, type ControlProps, type Shaped } from "./shape";

type Row = Record<string, unknown>;

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.map((row: unknown): Row => (typeof row === "object" && row !== null ? (row as Row) : {})) : [];
}

/** A row with another value in a part of it. */
function withPart(row: Row, name: string, value: unknown): Row {
  return Object.fromEntries(Object.entries({ ...row, [name]: value }).filter(([, part]) => part !== null));
}

function newKey(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 12);
}

/** The rows with a key each, and no key twice. */
function keyed(rows: Row[]): Row[] {
  const seen = new Set<unknown>();
  return rows.map((row) => {
    const isKnown = typeof row._key === "string" && row._key !== "" && !seen.has(row._key);
    const next = isKnown ? row : { ...row, _key: newKey() };
    seen.add(next._key);
    return next;
  });
}

/** Issues by the place of the row that they are in, with paths that begin in the row. */
function byRow(issues: Issue[]): Map<number, Issue[]> {
  const inside = issues.map((issue) => ({ issue, parts: issue.path.split(".") }));
  const map = new Map<number, Issue[]>();
  for (const { issue, parts } of inside) {
    const row = Number(parts[0]);
    map.set(row, [...(map.get(row) ?? []), { ...issue, path: parts.slice(1).join(".") }]);
  }
  return map;
}

export function RepeaterControl({ field, value, onChange, readOnly, issues }: ControlProps) {
  const { t } = useLingui();
  const rows = rowsOf(value);
  const { subFields } = field.validation;
  const fields = useMemo(() => (subFields ?? []).map(shapedSubField), [subFields]);
  const [opened, setOpened] = useState<unknown>();
  const { maxItems } = field.validation;
  const isFull = typeof maxItems === "number" && rows.length >= maxItems;
  const problems = byRow(issues);

  const set = (next: Row[]) => onChange(next.length > 0 ? keyed(next) : null);
  const insert = (at: number, row: Row) => {
    const added = { ...row, _key: newKey() };
    setOpened(added._key);
    set(rows.toSpliced(at, 0, added));
  };

  return (
    <div className="grid gap-2">
      {rows.length > 0 && (
        <ol className="grid gap-2">
          {rows.map((row, n) => (
            <RowCard
              key={typeof row._key === "string" ? row._key : n}
              {...{ fields, row, n, readOnly, isFull }}
              change={(row) => set(rows.with(n, row))}
              remove={() => set(rows.toSpliced(n, 1))}
              move={(by) => set(rows.toSpliced(n, 1).toSpliced(n + by, 0, row))}
              duplicate={() => insert(n + 1, row)}
              isLast={n === rows.length - 1}
              isOpened={opened === row._key && opened !== undefined}
              issues={problems.get(n)}
            />
          ))}
        </ol>
      )}
      {!readOnly && (
        <span className="flex items-center gap-3">
          <Button size="sm" icon={<Plus />} disabled={isFull} onClick={() => insert(rows.length, {})}>
            <Trans>Add row</Trans>
          </Button>
          {rows.length > 0 && (
            <span className="text-sm text-muted">{typeof maxItems === "number" ? t`${rows.length} of ${maxItems} rows` : plural(rows.length, { one: "# row", other: "# rows" })}</span>
          )}
        </span>
      )}
    </div>
  );
}

interface RowProps {
  fields: Shaped[];
  row: Row;
  n: number;
  isLast: boolean;
  isOpened: boolean;
  isFull: boolean;
  readOnly: boolean;
  issues: Issue[] | undefined;
  change: (row: Row) => void;
  remove: () => void;
  move: (by: number) => void;
  duplicate: () => void;
}

function RowCard({ fields, row, n, isLast, isOpened, isFull, readOnly, issues = [], change, remove, move, duplicate }: RowProps) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setOpen] = useState(isOpened || n < 3);
  const number = n + 1;
  const first = fields.map(({ slug }) => row[slug]).find((value) => typeof value === "string" && value !== "") as string | undefined;
  const summary = first ?? t`Row ${number}`;
  return (
    <li className={cx("min-w-0 rounded-md border bg-surface", issues.length > 0 ? "border-bad" : "border-line")}>
      <div className="flex items-center gap-1 px-1.5 py-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-8 min-w-0 grow items-center gap-2 rounded-md px-1.5 text-start hover:bg-hover pointer-coarse:min-h-11"
        >
          <ChevronDown aria-hidden className={cx("size-4 shrink-0 text-muted transition-transform", !isOpen && "-rotate-90 rtl:rotate-90")} />
          <span className="text-sm text-faint tabular-nums">{number}</span>
          <span className="min-w-0 truncate" dir="auto">
            {summary}
          </span>
          {issues.length > 0 && <CircleAlert role="img" aria-label={t`Needs a look`} className="size-4 shrink-0 text-bad" />}
        </button>
        {!readOnly && (
          <>
            <IconButton size="sm" label={t`Move row ${number} up`} icon={<ArrowUp />} disabled={n === 0} onClick={() => move(-1)} />
            <IconButton size="sm" label={t`Move row ${number} down`} icon={<ArrowDown />} disabled={isLast} onClick={() => move(1)} />
            <IconButton size="sm" label={t`Duplicate row ${number}`} icon={<Copy />} disabled={isFull} onClick={duplicate} className="max-sm:hidden" />
            <IconButton size="sm" danger label={t`Remove row ${number}`} icon={<Trash2 />} onClick={remove} />
          </>
        )}
      </div>
      <div id={id} hidden={!isOpen} className="grid gap-4 border-t border-line p-3">
        {isOpen &&
          fields.map((field) => {
            const inside = issues.filter(({ path }) => path === field.slug || path.startsWith(`${field.slug}.`));
            return (
              <Frame key={field.slug} field={field} id={`${id}-${field.slug}`} value={row[field.slug]} issues={inside}>
                {(control) => (
                  <Control
                    {...control}
                    field={field}
                    value={row[field.slug]}
                    readOnly={readOnly}
                    issues={[]}
                    onChange={(value) => change(withPart(row, field.slug, value))}
                  />
                )}
              </Frame>
            );
          })}
      </div>
    </li>
  );
}
