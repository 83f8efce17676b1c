// What happens within a time, page by page, as far as it is wanted.

import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { answer, api } from "~/api/client";
import type { CalendarItem } from "~/api/types";
import { PAGE } from "~/content/entries";
import type { Page } from "~/table/useKeyset";

import { partKey } from "../keep";
import type { Question } from "../question";
import type { Part } from "./placing";

/** Of more pages than this, all of them are asked for again only when somebody was away for long: what is done here is shown in place. */
const FEW = 2;
/** For how long what is known is as good as new, in milliseconds. */
const FRESH = { few: 10_000, many: 300_000 };
const part = (question: Question, of: Part) =>
  infiniteQueryOptions({
    queryKey: partKey(question, of),
    queryFn: ({ pageParam, signal }): Promise<Page<CalendarItem>> => {
      const { kinds, from, to } = of;
      const query = { ...question, from, to, kinds: kinds.join(","), limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) };
      return answer(api.GET("/calendar", { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > FEW ? FRESH.many : FRESH.few),
    enabled: of.kinds.length > 0,
  });

export interface Happening {
  items: CalendarItem[];
  isPending: boolean;
  /** More of it is on its way, since it is wanted. */
  isComing: boolean;
  /** There is more than was wanted. */
  hasMore: boolean;
  error: unknown;
  retry: () => void;
}

/** What happens within a time: so many items of it, or all, and as many as so many pages have: some are short, or empty. */
export function useHappenings(question: Question, of: Part, wanted: number, most = Infinity): Happening {
  const query = useInfiniteQuery(part(question, of));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, error } = query;
  const items = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const pages = data?.pages.length ?? 0;
  const isWanted = hasNextPage && items.length < wanted && pages < most;
  useEffect(() => {
    if (isWanted && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isWanted, isFetching, isFetchNextPageError, pages, fetchNextPage]);
  return {
    items,
    isPending: of.kinds.length > 0 && data === undefined && error === null,
    isComing: isWanted && !isFetchNextPageError,
    hasMore: hasNextPage && !isWanted,
    error: data === undefined || isFetchNextPageError ? error : null,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : query.refetch()),
  };
}
