// The calendar: what is planned and what was published, by month, week and day, or line by line.

import { Trans, useLingui } from "@lingui/react/macro";
import { today, type CalendarDate } from "@internationalized/date";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, CalendarDays } from "lucide-react";
import { useMemo, useState } from "react";

import { Button, IconButton } from "~/components/Button";
import { Card } from "~/components/Card";
import { dateOf, zoneName } from "~/components/date/zone";
import { Notice } from "~/components/Notice";
import { PageHeader } from "~/components/PageHeader";
import { EmptyState, Loaded, SkeletonRows } from "~/components/states";
import { collections } from "~/content/collections";
import { useTimeZone } from "~/content/site";
import { useFormat } from "~/lib/format";
import { useIsNarrow } from "~/lib/useMedia";
import { AddFilter, FilterChips } from "~/table/filters/FilterBar";
import { FilterProblem } from "~/table/filters/FilterProblem";
import { readFilters, writeFilters } from "~/table/filters/text";

import { isShown, spanOf, stepped, VIEWS, type View } from "../days";
import { placeInCalendar } from "../keep";
import { NamesProvider, useNamesOf } from "../names";
import { NoCollections } from "../NoCollections";
import { PlannerProvider } from "../PlannerProvider";
import { calendarQuestion, calendarSearch, KINDS, type CalendarSearch } from "../question";
import { useFilters } from "../useFilters";
import { Agenda } from "./Agenda";
import { Grid } from "./Grid";
import { useKindWords } from "./happening";
import { useCalendarLocale, useDayWords } from "./useClock";
import { useHappenings } from "./useHappenings";
import { useVisited, visit } from "./visited";

/** The most of what was published, and of what is planned, that a grid of days has. */
const MOST = 1000;
/** The most pages that are asked for to get there. */
const MOST_PAGES = 60;
/** How many lines the agenda begins with, and has more at a time. */
const LINES = 100;

interface CalendarProps {
  search: Partial<Record<keyof CalendarSearch, string>>;
  /** Changes the address; what is another screen to somebody can be gone back from. */
  onSearch: (search: CalendarSearch, isOther?: boolean) => void;
}

export function CalendarScreen({ search, onSearch }: CalendarProps) {
  const { t } = useLingui();
  const query = useQuery(collections);
  return (
    <div data-wide>
      <PageHeader title={t`Calendar`} description={<Zone />} />
      <Loaded query={query}>{(all) => (all.length === 0 ? <NoCollections /> : <Looked search={calendarSearch(search)} onSearch={onSearch} />)}</Loaded>
    </div>
  );
}

/** The calendar around the day of the address, as long as there is one: an address may name any. */
function Looked({ search, onSearch }: { search: CalendarSearch; onSearch: CalendarProps["onSearch"] }) {
  const zone = useTimeZone();
  const day = (search.day === undefined ? undefined : dateOf(search.day)) ?? today(zone);
  if (isShown(day)) return <Calendar day={day} {...{ search, onSearch }} />;
  return (
    <Card flush>
      <EmptyState
        icon={<CalendarDays />}
        title={<Trans>The calendar does not go this far</Trans>}
        action={
          <Button onClick={() => onSearch({ ...search, day: undefined }, true)}>
            <Trans>Today</Trans>
          </Button>
        }
      >
        <Trans>Nothing can be planned for this day.</Trans>
      </EmptyState>
    </Card>
  );
}

/** Which clocks are meant. */
function Zone() {
  const locale = useCalendarLocale();
  const zone = useTimeZone();
  const name = zoneName(zone, locale, new Date());
  return <Trans>What is planned, and what was published. Times are those of the site: {name}.</Trans>;
}

function Calendar({ day, search, onSearch }: { day: CalendarDate; search: CalendarSearch; onSearch: CalendarProps["onSearch"] }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const queries = useQueryClient();
  const isNarrow = useIsNarrow();
  const zone = useTimeZone();
  const locale = useCalendarLocale();
  const { say, sayRange } = useDayWords();
  const kindWords = useKindWords();
  const { filter } = search;
  const { question, kinds } = useMemo(() => calendarQuestion(filter), [filter]);

  // A grid of seven days has no room on a phone.
  const asked = search.view ?? "month";
  const view: View = isNarrow && asked !== "day" ? "agenda" : asked;
  const isGrid = view === "month" || view === "week";
  const dayText = day.toString();
  const span = useMemo(() => spanOf(view, dateOf(dayText) ?? today(zone), locale, zone), [view, dayText, locale, zone]);

  const { from, to } = span;
  const name = `${view} ${from} ${filter ?? ""}`;
  const [lines, setLines] = useState({ name, wanted: LINES });
  const wanted = lines.name === name ? lines.wanted : LINES;
  // In a grid, what is still to come is asked for apart: what was published before it may be more than there is room for.
  const plans = useHappenings(question, { kinds: kinds.filter((kind) => !isGrid || kind !== "published"), from, to }, isGrid ? MOST : wanted, isGrid ? MOST_PAGES : undefined);
  const past = useHappenings(question, { kinds: isGrid ? kinds.filter((kind) => kind === "published") : [], from, to }, MOST, MOST_PAGES);
  const parts = isGrid ? [plans, past] : [plans];
  const items = useMemo(() => (isGrid ? [...plans.items, ...past.items].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)) : plans.items), [isGrid, plans.items, past.items]);
  const failed = parts.find(({ error }) => error !== null);
  const isPending = parts.some(({ isPending }) => isPending);
  const isComing = parts.some(({ isComing }) => isComing);
  /** Until when it is known what happens: lists end with their last line while there is more of them. */
  const knownUntil = Math.min(...parts.map(({ items, hasMore, isComing }) => (hasMore || isComing ? Date.parse(items.at(-1)?.at ?? from) : Infinity)));

  useVisited(question);
  const names = useNamesOf([...(question.collections?.split(",") ?? []), ...items.map(({ entry }) => entry.type)]);
  const filters = readFilters(filter);
  const fields = useFilters(names, { id: "kind", label: t`What happens`, kind: "choice", operators: ["in"], options: KINDS.map((kind) => ({ value: kind, label: kindWords[kind] })) });
  const filtering = { fields, filters, onChange: (next: typeof filters) => onSearch({ ...search, filter: writeFilters(next) }) };
  const clear = () => onSearch({ ...search, filter: undefined });

  const [first = day, last = day] = [span.days[0], span.days.at(-1)];
  const title = view === "month" ? say(day, "month") : view === "day" ? say(day, "long") : sayRange(first, last);
  const show = (change: CalendarSearch) => onSearch({ ...search, ...change }, true);
  const step = (by: 1 | -1) => show({ day: stepped(view, day, by).toString() });
  const count = number(MOST);
  return (
    <NamesProvider names={names}>
      <PlannerProvider place={(now) => placeInCalendar(queries, question, now)} isTerse={isGrid} onVisit={visit}>
        <Card className="relative">
          <div className="-mx-5 -mt-3.5 -mb-5">
            <div className="flex flex-wrap items-center gap-2 px-5 py-4 max-sm:px-4">
              <div className="flex items-center gap-1">
                <IconButton label={t`Earlier`} icon={<ChevronLeft className="rtl:-scale-x-100" />} onClick={() => step(-1)} />
                <Button onClick={() => show({ day: undefined })}>
                  <Trans>Today</Trans>
                </Button>
                <IconButton label={t`Later`} icon={<ChevronRight className="rtl:-scale-x-100" />} onClick={() => step(1)} />
              </div>
              <h2 aria-live="polite" className="min-w-0 text-md font-semibold">
                {title}
              </h2>
              <div className="ms-auto flex flex-wrap items-center gap-2 max-sm:ms-0">
                {!isNarrow && <Views view={view} onChange={(view) => show({ view })} />}
                <AddFilter {...filtering} />
              </div>
            </div>
            <FilterChips {...filtering} />
            {isGrid &&
              parts.map(
                ({ hasMore, items }, n) =>
                  hasMore && (
                    <div key={n} className="px-5 pb-4">
                      <Notice tone="warn">
                        {items.length >= MOST ? (
                          n === 0 ? <Trans>More than {count} publications and endings are planned in this time, and the first of them are shown.</Trans> : <Trans>More than {count} entries were published in this time, and the first of them are shown.</Trans>
                        ) : (
                          <Trans>There is more in this time than could be looked through.</Trans>
                        )}{" "}
                        {view === "month" ? <Trans>Narrow it by a filter, or look at a week.</Trans> : <Trans>Narrow it by a filter, or look at a day.</Trans>}
                      </Notice>
                    </div>
                  ),
              )}
            <div className="border-t border-line" aria-busy={isPending || isComing || undefined}>
              {failed && items.length === 0 ? (
                <FilterProblem error={failed.error} onRetry={failed.retry} onClear={clear} />
              ) : isGrid ? (
                <Grid label={title} {...{ view, span, day, items, search }} knownUntil={isPending || isComing ? Infinity : knownUntil} />
              ) : isPending ? (
                <SkeletonRows />
              ) : items.length === 0 && !isComing && !plans.hasMore ? (
                <Nothing isFiltered={filters.length > 0} onClear={clear} />
              ) : (
                <Agenda span={span} items={items} hasMore={plans.hasMore} isComing={plans.isComing} onMore={() => setLines({ name, wanted: items.length + LINES })} />
              )}
              {failed && items.length > 0 && <FilterProblem error={failed.error} onRetry={failed.retry} onClear={clear} />}
            </div>
            {isGrid && !isPending && !isComing && !failed && items.length === 0 && (
              <div className="border-t border-line">
                <Nothing isFiltered={filters.length > 0} onClear={clear} />
              </div>
            )}
          </div>
        </Card>
      </PlannerProvider>
    </NamesProvider>
  );
}

function Views({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { t } = useLingui();
  const words: Record<View, string> = { month: t`Month`, week: t`Week`, day: t`Day`, agenda: t`Agenda` };
  return (
    <div role="group" aria-label={t`View`} className="flex rounded-md border border-line bg-sunken p-0.5">
      {VIEWS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === view}
          onClick={() => onChange(name)}
          className="min-h-7.5 rounded-sm px-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-low pointer-coarse:min-h-11"
        >
          {words[name]}
        </button>
      ))}
    </div>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        title={<Trans>Nothing matches</Trans>}
        action={
          <Button onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState icon={<CalendarDays />} title={<Trans>Nothing happens in this time</Trans>}>
      <Trans>Schedule an entry in its editor or on the board, and it is here on its day.</Trans>
    </EmptyState>
  );
}
