// The board: entries of all collections by where they stand, moved from one column to another.

import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { PageHeader } from "~/components/PageHeader";
import { Loaded } from "~/components/states";
import { Tabs } from "~/components/Tabs";
import { collections } from "~/content/collections";
import { useIsNarrow } from "~/lib/useMedia";
import { AddFilter, FilterChips } from "~/table/filters/FilterBar";
import { readFilters, writeFilters } from "~/table/filters/text";

import { placeOnBoard } from "../keep";
import { NoCollections } from "../NoCollections";
import { NamesProvider, useNamesOf } from "../names";
import { COLUMNS, type Column as Name } from "../offers";
import { PlannerProvider } from "../PlannerProvider";
import { boardQuestion, type BoardSearch } from "../question";
import { useFilters } from "../useFilters";
import { Column, useColumnWords } from "./Column";

interface BoardProps {
  search: BoardSearch;
  /** Changes the address. */
  onSearch: (search: BoardSearch) => void;
}

export function BoardScreen(props: BoardProps) {
  const { t } = useLingui();
  const query = useQuery(collections);
  return (
    <div data-wide>
      <PageHeader title={t`Board`} description={<Trans>Every entry by where it stands. Move a card to publish it, to schedule it, or to take it back.</Trans>} />
      <Loaded query={query}>{(all) => (all.length === 0 ? <NoCollections /> : <Board {...props} />)}</Loaded>
    </div>
  );
}

function Board({ search, onSearch }: BoardProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const isNarrow = useIsNarrow();
  const words = useColumnWords();
  const question = useMemo(() => boardQuestion(search.filter), [search.filter]);
  // The collections whose entries are looked at: those that were filtered by, and whatever comes up.
  const [seen, setSeen] = useState<readonly string[]>([]);
  const note = (types: readonly string[]) => setSeen((seen) => (types.every((type) => seen.includes(type)) ? seen : [...new Set([...seen, ...types])]));
  const names = useNamesOf([...(question.collections?.split(",") ?? []), ...seen]);
  const filters = readFilters(search.filter);
  const fields = useFilters(names, { id: "updatedAt", label: t`Changed`, kind: "date" });
  const filtering = { fields, filters, onChange: (next: typeof filters) => onSearch({ ...search, filter: writeFilters(next) }) };
  const clear = () => onSearch({ ...search, filter: undefined });
  const column = (name: Name) => <Column key={name} name={name} question={question} onSeen={note} onClear={filters.length > 0 ? clear : undefined} />;
  const chosen = COLUMNS.find((name) => name === search.column) ?? "draft";
  return (
    <NamesProvider names={names}>
      <PlannerProvider place={(now) => placeOnBoard(queries, question, now)}>
        <div className="flex flex-wrap gap-2 pb-4">
          <AddFilter {...filtering} />
        </div>
        <div className="-mx-5 max-sm:-mx-4">
          <FilterChips {...filtering} />
        </div>
        {isNarrow ? (
          <Tabs
            label={t`Columns`}
            value={chosen}
            onChange={(column) => onSearch({ ...search, column })}
            tabs={COLUMNS.map((name) => ({ value: name, label: words[name].label, content: column(name) }))}
          />
        ) : (
          <div className="grid grid-cols-3 gap-4">{COLUMNS.map(column)}</div>
        )}
      </PlannerProvider>
    </NamesProvider>
  );
}
