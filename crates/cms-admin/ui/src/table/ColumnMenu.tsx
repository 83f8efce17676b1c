// Which columns a table shows, and in which order: a box for each, and buttons to move it.

import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";

import { Button, IconButton } from "~/components/Button";

import { isFixed, type Column } from "./columns";
import { Popover } from "./Popover";

interface ColumnMenuProps<Row> {
  columns: Column<Row>[];
  /** The ids of those that are shown, in their order. */
  shown: string[];
  onChange: (shown: string[]) => void;
  /** Back to what everybody sees; undefined where that is what is shown. */
  onReset?: (() => void) | undefined;
}

export function ColumnMenu<Row>({ columns, shown, onChange, onReset }: ColumnMenuProps<Row>) {
  const { t } = useLingui();
  const choices = columns.filter((column) => !isFixed(column));
  const chosen = shown.flatMap((id) => choices.find((column) => column.id === id) ?? []);
  const others = choices.filter(({ id }) => !shown.includes(id));
  const ids = chosen.map(({ id }) => id);
  const toggle = (id: string) => onChange(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);

  function move(id: string, by: 1 | -1) {
    const from = ids.indexOf(id);
    const other = ids[from + by];
    if (other === undefined) return;
    const next = [...ids];
    next[from] = other;
    next[from + by] = id;
    onChange(next);
  }

  return (
    <Popover
      label={t`Columns`}
      trigger={
        <Button icon={<Columns3 />} className="max-sm:hidden">
          <Trans>Columns</Trans>
        </Button>
      }
    >
      <ul className="grid max-h-80 gap-0.5 overflow-y-auto p-1.5">
        {[...chosen, ...others].map(({ id, header }) => {
          const isShown = ids.includes(id);
          return (
            <li key={id} className="flex min-h-9 items-center gap-1 rounded-md px-2 hover:bg-hover">
              <label className="flex grow items-center gap-2.5 self-stretch">
                <input type="checkbox" checked={isShown} onChange={() => toggle(id)} className="size-4" />
                <span dir="auto" className="min-w-0 truncate">
                  {header}
                </span>
              </label>
              {isShown && (
                <>
                  <IconButton size="sm" label={t`Move ${header} towards the start`} icon={<ArrowUp />} disabled={ids[0] === id} onClick={() => move(id, -1)} />
                  <IconButton size="sm" label={t`Move ${header} towards the end`} icon={<ArrowDown />} disabled={ids.at(-1) === id} onClick={() => move(id, 1)} />
                </>
              )}
            </li>
          );
        })}
      </ul>
      {onReset && (
        <div className="border-t border-line p-1.5">
          <Button variant="ghost" size="sm" wide onClick={onReset}>
            <Trans>Show the usual columns</Trans>
          </Button>
        </div>
      )}
    </Popover>
  );
}
