// The entries of a collection: search, filters, views, columns, and the table.

import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { FilePlus2, FileText } from "lucide-react";
import { useCallback, useDeferredValue, useMemo } from "react";

import type { Collection, Entry } from "~/api/types";
import { Button, ButtonLink } from "~/components/Button";
import { Card } from "~/components/Card";
import { Select } from "~/components/Field";
import { SearchField } from "~/components/SearchField";
import { EmptyState, SkeletonRows } from "~/components/states";
import { useFormat } from "~/lib/format";
import { useMe } from "~/session/session";
import { chooseColumns, listOf, useChosenColumns } from "~/table/columnChoice";
import { ColumnMenu } from "~/table/ColumnMenu";
import { EndlessTable } from "~/table/EndlessTable";
import { AddFilter, FilterChips } from "~/table/filters/FilterBar";
import { FilterProblem } from "~/table/filters/FilterProblem";
import { readFilters, writeFilters } from "~/table/filters/text";
import { useSelection } from "~/table/selection";
import { useKeyset } from "~/table/useKeyset";
import { serverViews } from "~/table/views/store";
import { ViewMenu } from "~/table/views/ViewMenu";

import { Bulk } from "./Bulk";
import { entryPage, entryTotal, listKey } from "./entries";
import { EntryMenu } from "./EntryMenu";
import { useLastList } from "./lastList";
import { newEntryLink } from "./links";
import { useMay } from "./may";
import { byNewNames, newName, orderOf, questionOf, USUAL_SORT, type ListSearch } from "./question";
import { useLocales } from "./site";
import { searchedField, titleField } from "./titleField";
import { useTitle } from "./titles";
import { useEntryColumns, usualColumns } from "./useEntryColumns";
import { useEntryDeeds } from "./useEntryDeeds";
import { useEntryFilters } from "./useEntryFilters";

interface EntryListProps {
  collection: Collection;
  search: ListSearch;
  /** Changes the address. */
  onSearch: (search: ListSearch) => void;
}

export function EntryList({ collection, search: asked, onSearch }: EntryListProps) {
  const { t } = useLingui();
  const { slug } = collection;
  const search = useMemo(() => byNewNames(asked, collection), [asked, collection]);
  const me = useMe();
  const may = useMay();
  const titleOf = useTitle(collection);
  const { choose, dialog } = useEntryDeeds(collection);
  const canSchedule = collection.supports.includes("scheduling");
  const menu = useCallback(
    (entry: Entry) => <EntryMenu entry={entry} name={titleOf(entry)} canSchedule={canSchedule} onChoose={choose} />,
    // The title depends on the collection alone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [collection, canSchedule, choose],
  );
  const columns = useEntryColumns({ collection, menu });

  useLastList(slug, search);
  const question = useMemo(() => questionOf(search, collection), [search, collection]);
  const { orderBy, order } = orderOf(search.sort);
  const total = useQuery(entryTotal(slug, question));
  const kept = useChosenColumns(me.id, slug);
  const choice = listOf(search.columns) ?? kept?.map(newName(collection));
  const fields = [titleField(collection)?.slug, ...(collection.fields ?? []).map(({ slug }) => slug).filter((field) => (choice ?? collection.admin?.listColumns ?? []).includes(field))];
  const query = { ...question, orderBy, order, fields: fields.filter(Boolean).join(",") };
  const page = (cursor: string | undefined, signal: AbortSignal) => entryPage(slug, query, cursor, signal);
  const list = useKeyset<Entry>({ key: [...listKey(slug), query], page });
  // Many rows at once are drawn in between what somebody does.
  const isDrawn = !useDeferredValue(list.isPending);
  const selecting = useSelection<Entry>(({ id }) => id, JSON.stringify([slug, question]));
  const locales = useLocales();
  const shown = choice ?? usualColumns(collection, locales.length > 1);
  const filterFields = useEntryFilters(collection, locales);
  const filters = readFilters(search.filter);
  const isFiltered = filters.length > 0 || Boolean(search.q);
  const count = total.data?.total;
  const searched = searchedField(collection);
  const maySelectAll = may.selectAny || question.authorId === me.id;

  const ask = (change: ListSearch) => onSearch({ ...search, ...change });
  const clear = () => ask({ q: undefined, filter: undefined, sort: undefined });
  function show(columns: string[] | undefined) {
    chooseColumns(me.id, slug, columns);
    ask({ columns: columns?.join(",") });
  }
  const store = serverViews(slug, may.shareViews);
  const filtering = { fields: filterFields, filters, onChange: (next: typeof filters) => ask({ filter: writeFilters(next), ...(next.some(({ field }) => field === searched?.slug) ? { q: undefined } : {}) }) };
  const sorts = columns.flatMap(({ sort, header }) => (sort ? [{ sort, header }] : []));

  return (
    <Card className="relative">
      <div className="-mx-5 -mt-3.5 -mb-5">
        <div className="flex flex-wrap gap-2 px-5 py-4 max-sm:px-4">
          {searched && (
            // The server compares a field with one thing: what is searched for, or what a filter says.
            <SearchField label={t`Search titles`} value={search.q} onChange={(q) => ask({ q, filter: writeFilters(filters.filter(({ field }) => field !== searched.slug)) })} />
          )}
          <AddFilter {...filtering} />
          <ViewMenu store={store} scope={slug} search={textsOf(search)} onChoose={onSearch} />
          <ColumnMenu columns={columns} shown={shown} onChange={show} onReset={choice && (() => show(undefined))} />
          <Select aria-label={t`Sort by`} className="grow sm:hidden" value={search.sort ?? USUAL_SORT} onChange={({ target }) => ask({ sort: target.value })}>
            {sorts.flatMap(({ sort, header }) => [
              <option key={sort} value={sort}>{t`${header}, ascending`}</option>,
              <option key={`-${sort}`} value={`-${sort}`}>{t`${header}, descending`}</option>,
            ])}
          </Select>
          <p role="status" className="ms-auto self-center text-sm text-muted max-sm:w-full">
            {count !== undefined && <Total count={count} isCapped={total.data?.isCapped === true} />}
          </p>
        </div>
        <FilterChips {...filtering} />
        {list.isPending || !isDrawn ? (
          <SkeletonRows />
        ) : list.count === 0 && list.error ? (
          <div className="border-t border-line">
            <FilterProblem error={list.error} onRetry={list.retry} onClear={clear} />
          </div>
        ) : list.count === 0 ? (
          <div className="border-t border-line">
            <Nothing collection={collection} isFiltered={isFiltered} mayCreate={may.create} onClear={clear} />
          </div>
        ) : (
          <EndlessTable
            label={collection.label}
            columns={columns}
            list={list}
            total={count}
            rowKey={({ id }) => id}
            nameOf={titleOf}
            selecting={may.publishSome || may.trashSome ? selecting : undefined}
            maySelect={may.select}
            shown={shown}
            order={{ by: orderBy, desc: order === "desc" }}
            onOrder={({ by, desc }) => ask({ sort: desc ? `-${by}` : by })}
          />
        )}
        {/* Also when nothing is left in the list: what was done to all of it can be undone. */}
        <Bulk collection={collection} selecting={selecting} total={total.data?.isCapped || !maySelectAll ? undefined : count} question={question} loaded={list.loaded} />
      </div>
      {dialog}
    </Card>
  );
}

function Total({ count, isCapped }: { count: number; isCapped: boolean }) {
  const { number } = useFormat();
  const counted = number(count);
  return isCapped ? <Trans>More than {counted} entries</Trans> : <Plural value={count} one="# entry" other="# entries" />;
}

function Nothing({ collection, isFiltered, mayCreate, onClear }: { collection: Collection; isFiltered: boolean; mayCreate: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        title={<Trans>Nothing matches</Trans>}
        action={
          <Button onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      >
        <Trans>No entry matches all of it.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<FileText />}
      title={<Trans>Nothing here yet</Trans>}
      action={
        mayCreate && (
          <ButtonLink variant="primary" icon={<FilePlus2 />} {...newEntryLink(collection.slug)}>
            <Trans>Write the first entry</Trans>
          </ButtonLink>
        )
      }
    >
      {collection.description}
    </EmptyState>
  );
}

/** The parts of an address that are there: what a view keeps. */
function textsOf(search: ListSearch): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter((part): part is [string, string] => typeof part[1] === "string"));
}
