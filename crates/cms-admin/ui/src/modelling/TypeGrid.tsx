// The choice of a field's type: each with what it is for.

import { Trans, useLingui } from "@lingui/react/macro";

import { Badge } from "~/components/Badge";
import { cx } from "~/lib/cx";

import { FIELD_TYPES, type FieldType } from "./fieldTypes";

interface TypeGridProps {
  /** What is chosen. */
  value?: FieldType;
  /** What a field has that gets another type. Of references, there are two sorts. */
  now?: FieldType;
  onChoose: (type: FieldType) => void;
}

export function TypeGrid({ value, now, onChoose }: TypeGridProps) {
  const { t, i18n } = useLingui();
  return (
    <ul aria-label={t`Types of fields`} className="grid gap-2 sm:grid-cols-2">
      {FIELD_TYPES.map(({ type, icon: Icon, name, about }) => (
        <li key={type} className="grid">
          <button
            type="button"
            aria-pressed={value === undefined ? undefined : value === type}
            disabled={now === type && type !== "reference"}
            onClick={() => onChoose(type)}
            className={cx(
              "flex min-w-0 items-start gap-2.5 rounded-md border p-2.5 text-start shadow-low transition-colors hover:border-line-strong hover:bg-hover disabled:pointer-events-none disabled:bg-sunken disabled:shadow-none",
              value === type ? "border-accent bg-accent-soft" : "border-line bg-surface",
            )}
          >
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
            <span className="grid min-w-0">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {i18n._(name)}
                {now === type && (
                  <Badge>
                    <Trans>now</Trans>
                  </Badge>
                )}
              </span>
              <span className="text-sm break-words text-muted">{i18n._(about)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
