// Rows of a repeater: added, doubled, moved and removed.

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronDown, CircleAlert, Copy, Plus, Trash2 } from "lucide-react";
import { useId, useMemo, useState } from "react";

import type { Issue } from "~/api/errors";
import { Button, IconButton } from "~/components/Button";
import { SortableList } from "~/components/sortable/SortableList";
import { cx } from "~/lib/cx";
import { newKey } from "~/richtext/value";

import { Control } from "./Control";
import { Frame } from "./Frame";
import { shapedSubField, type ControlProps, type Shaped } from "./shape";

interface Row extends Record<string, unknown> {
  _key: string;
}

/** The rows of a value, each with a key of its own. Rows from before there were keys get theirs here, and are stored with them once one changes. */
function rowsOf(value: unknown): Row[] {
  const taken = new Set<unknown>();
  return (Array.isArray(value) ? value : []).map((row: unknown): Row => {
    const members = typeof row === "object" && row !== null ? (row as Record<string, unknown>) : {};
    const { _key } = members;
    if (typeof _key !== "string" || _key === "" || taken.has(_key)) return { ...members, _key: newKey() };
    taken.add(_key);
    return members as Row;
  });
}

/** A row with another value in a part of it. */
function withPart(row: Row, name: string, value: unknown): Row {
  return Object.fromEntries(Object.entries({ ...row, [name]: value }).filter(([, part]) => part !== null)) as Row;
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
  const rows = useMemo(() => rowsOf(value), [value]);
  const { subFields } = field.validation;
  const fields = useMemo(() => (subFields ?? []).map(shapedSubField), [subFields]);
  const [opened, setOpened] = useState<string>();
  const { maxItems } = field.validation;
  const isFull = typeof maxItems === "number" && rows.length >= maxItems;
  const problems = byRow(issues);

  const rowName = (number: number) => t`Row ${number}`;

  const set = (next: Row[]) => onChange(next.length > 0 ? next : null);

  function insert(at: number, row: Record<string, unknown>) {
    const added = { ...row, _key: newKey() };
    setOpened(added._key);
    set(rows.toSpliced(at, 0, added));
  }

  return (
    <div className="grid gap-2">
      {rows.length > 0 && (
        <SortableList label={field.label} items={rows} itemKey={({ _key }) => _key} itemName={(row, n) => nameOf(row, fields) ?? rowName(n + 1)} onMove={set} disabled={readOnly}>
          {(row, n) => (
            <RowCard
              {...{ fields, row, n, readOnly, isFull }}
              isOpened={opened === row._key}
              issues={problems.get(n)}
              change={(row) => set(rows.with(n, row))}
              remove={() => set(rows.toSpliced(n, 1))}
              duplicate={() => insert(n + 1, row)}
            />
          )}
        </SortableList>
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

/** What a row is called: its first text. */
function nameOf(row: Row, fields: Shaped[]): string | undefined {
  return fields.map(({ slug }) => row[slug]).find((value): value is string => typeof value === "string" && value !== "");
}

interface RowProps {
  fields: Shaped[];
  row: Row;
  n: number;
  isOpened: boolean;
  isFull: boolean;
  readOnly: boolean;
  issues: Issue[] | undefined;
  change: (row: Row) => void;
  remove: () => void;
  duplicate: () => void;
}

function RowCard({ fields, row, n, isOpened, isFull, readOnly, issues = [], change, remove, duplicate }: RowProps) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setOpen] = useState(isOpened || n < 3);
  const number = n + 1;
  const summary = nameOf(row, fields) ?? t`Row ${number}`;
  return (
    <div className={cx("min-w-0 rounded-md border bg-surface", issues.length > 0 ? "border-bad" : "border-line")}>
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
            <IconButton size="sm" label={t`Duplicate row ${number}`} icon={<Copy />} disabled={isFull} onClick={duplicate} />
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
    </div>
  );
}
