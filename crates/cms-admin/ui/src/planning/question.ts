// What the board and the calendar are asked for: the parts of their addresses, and what of them the server is sent.

import type { operations } from "~/api/schema";
import type { CalendarKind } from "~/api/types";
import { dateOf } from "~/components/date/zone";
import { datesOf } from "~/content/question";
import { textOf } from "~/lib/search";
import { readFilters } from "~/table/filters/text";

import { VIEWS, type View } from "./days";

/** What both of them can be asked for. */
export interface Question {
  collections?: string;
  locale?: string;
  authorId?: string;
}

export type BoardQuestion = Question & Pick<NonNullable<operations["listAllContent"]["parameters"]["query"]>, "dateFrom" | "dateTo">;

/** What stands in the address of the board. */
export interface BoardSearch {
  filter?: string;
  /** The column that is shown where there is room for one. */
  column?: string;
}

/** What stands in the address of the calendar. */
export interface CalendarSearch {
  filter?: string;
  view?: View;
  /** The day that is looked at, as in `2026-11-25`; today when left out. */
  day?: string;
}

export const boardSearch = (search: Record<string, unknown>): BoardSearch => textOf(search, "filter", "column");

export function calendarSearch(search: Record<string, unknown>): CalendarSearch {
  const { filter, view, day } = textOf(search, "filter", "view", "day");
  const known = VIEWS.find((name) => name === view);
  return { ...(filter ? { filter } : {}), ...(known ? { view: known } : {}), ...(day && dateOf(day) ? { day } : {}) };
}

/** Everything that happens to entries, in the order in which it does. */
export const KINDS: readonly CalendarKind[] = ["publish", "unpublish", "published"];

/** What the server is asked for, of what an address is filtered by. Filters that are not known here ask for nothing. */
export function boardQuestion(filter: string | undefined): BoardQuestion {
  const dates = readFilters(filter).find(({ field }) => field === "updatedAt");
  return { ...common(filter), ...(dates ? datesOf(dates) : {}) };
}

export function calendarQuestion(filter: string | undefined): { question: Question; kinds: CalendarKind[] } {
  const asked = readFilters(filter).find(({ field }) => field === "kind")?.values;
  const kinds = KINDS.filter((kind) => asked?.includes(kind) ?? true);
  return { question: common(filter), kinds: kinds.length > 0 ? kinds : [...KINDS] };
}

function common(filter: string | undefined): Question {
  const question: Question = {};
  for (const { field, values } of readFilters(filter)) {
    const [value = ""] = values;
    if (field === "collection" && values.length > 0) question.collections = values.join(",");
    else if (field === "locale") question.locale = value;
    else if (field === "authorId") question.authorId = value;
  }
  return question;
}
