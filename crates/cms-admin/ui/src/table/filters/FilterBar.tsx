// The filters of a list: a chip for each, which opens to be changed, and a button for another one.

import { Trans, useLingui } from "@lingui/react/macro";
import { ListFilter, X } from "lucide-react";
import { useState } from "react";

import { Button, IconButton } from "~/components/Button";

import { Popover } from "../Popover";
import { FilterEditor } from "./FilterEditor";
import { withFilter, type Filter, type FilterField } from "./model";
import { useFilterWords } from "./words";

interface FiltersProps {
  fields: readonly FilterField[];
  filters: readonly Filter[];
  onChange: (filters: Filter[]) => void;
}

/** The button that adds a filter. */
export function AddFilter({ fields, filters, onChange }: FiltersProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={t`New filter`}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<ListFilter />}>
          <Trans>Filter</Trans>
        </Button>
      }
    >
      <FilterEditor
        fields={fields}
        taken={filters.map(({ field }) => field)}
        onApply={(filter) => {
          setOpen(false);
          onChange(withFilter(filters, fields, filter));
        }}
      />
    </Popover>
  );
}

/** The filters that are set; nothing when there are none. */
export function FilterChips({ fields, filters, onChange }: FiltersProps) {
  const { t } = useLingui();
  const known = filters.flatMap((filter) => {
    const field = fields.find(({ id }) => id === filter.field);
    return field ? [{ field, filter }] : [];
  });
  if (known.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 pb-4 max-sm:px-4">
      <ul aria-label={t`Filters`} className="contents">
        {known.map(({ field, filter }) => (
          <li key={field.id} className="max-w-full">
            <Chip
              field={field}
              filter={filter}
              fields={fields}
              onChange={(changed) => onChange(withFilter(filters, fields, changed))}
              onRemove={() => onChange(filters.filter((other) => other !== filter))}
            />
          </li>
        ))}
      </ul>
      <Button size="sm" variant="ghost" onClick={() => onChange([])}>
        <Trans>Clear filters</Trans>
      </Button>
    </div>
  );
}

interface ChipProps {
  field: FilterField;
  filter: Filter;
  fields: readonly FilterField[];
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function Chip({ field, filter, fields, onChange, onRemove }: ChipProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { name, operator, value } = useFilterWords()(field, filter);
  return (
    <span className="inline-flex max-w-full items-center rounded-md border border-accent-line bg-accent-soft text-sm text-accent-ink">
      <Popover
        label={t`Change the filter`}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="flex min-h-8 min-w-0 items-center gap-1 rounded-s-md ps-2.5 pe-1 hover:underline pointer-coarse:min-h-11">
            <span dir="auto" className="max-w-48 truncate">
              {name}
            </span>
            <span className="whitespace-nowrap">{operator}</span>
            {value && (
              <bdi className="max-w-64 truncate font-semibold" title={value}>
                {value}
              </bdi>
            )}
          </button>
        }
      >
        <FilterEditor
          fields={fields}
          taken={[]}
          filter={filter}
          onApply={(changed) => {
            setOpen(false);
            onChange(changed);
          }}
        />
      </Popover>
      <IconButton size="sm" label={t`Remove the filter: ${name} ${operator} ${value}`} icon={<X />} onClick={onRemove} className="text-accent-ink!" />
    </span>
  );
}
