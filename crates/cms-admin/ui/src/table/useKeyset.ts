// A list of any length by the server's cursors: pages come as they are looked at, and those far away are let go.

import { useQueries, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";

import { isCode } from "~/api/errors";

import { known, linked, placeOf, START, type Chain } from "./chain";

/** A page, as the server answers with it. */
export interface Page<Row> {
  items: Row[];
  nextCursor?: string | null;
}

export interface KeysetOptions<Row> {
  /** What is asked for: another key is another list, which begins at its start. */
  key: QueryKey;
  page: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;
}

export interface Keyset<Row> {
  /** How many rows are known; those that were let go count. */
  count: number;
  /** Whether there are more behind those. */
  hasMore: boolean;
  /** A row; undefined while it is on its way. */
  at: (index: number) => Row | undefined;
  /** Says which rows are on the screen. */
  see: (first: number, last: number) => void;
  /** Asks for the rows behind the last one. */
  more: () => void;
  isMoreComing: boolean;
  /** Nothing has come yet. */
  isPending: boolean;
  /** What went wrong with a page that is looked at. */
  error: unknown;
  retry: () => void;
  /** The rows that are there. */
  loaded: () => Row[];
  /** The rows from one to another, those that were let go included. */
  between: (first: number, last: number) => Promise<Row[]>;
}

/** How close to the end of what is known the next page is asked for, in rows. */
const AHEAD = 40;
/** How many pages around those on the screen are kept. */
const KEPT = 10;
/** For how long a page that is not looked at is kept, in milliseconds: the back button finds it. */
const STAYS = 300_000;

interface State {
  name: string;
  chain: Chain;
  /** The first and the last page that are asked for. */
  seen: readonly [number, number];
  /** The row behind those on the screen that the last of these pages was asked for. */
  wanted: number;
}

/** A page of a list is kept under this. */
export const pageKey = (key: QueryKey, cursor?: string): QueryKey => [...key, "page", cursor ?? ""];

export function useKeyset<Row>({ key, page }: KeysetOptions<Row>): Keyset<Row> {
  const queries = useQueryClient();
  const name = JSON.stringify(key);
  // Whoever comes back finds the list as long as it was, and the page where it was scrolled to.
  const noted = useMemo(() => ["chains", name], [name]);
  const begin = (): State => ({ name, chain: queries.getQueryData<Chain>(noted) ?? START, seen: [0, 0], wanted: AHEAD });
  const [state, setState] = useState(begin);
  const current = state.name === name ? state : begin();
  if (current !== state) setState(current);
  const { chain, seen, wanted } = current;

  const optionsOf = useCallback(
    (cursor: string | undefined) => ({
      queryKey: pageKey(key, cursor),
      queryFn: ({ signal }: { signal: AbortSignal }) => page(cursor, signal),
      gcTime: STAYS,
    }),
    // The key says all that the page depends on.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [name],
  );
  const shown = chain.slice(seen[0], seen[1] + 1);
  const answers = useQueries({ queries: shown.map(({ cursor }) => optionsOf(cursor)) });

  let next = chain;
  answers.forEach(({ data }, n) => {
    if (data) next = linked(next, seen[0] + n, data.items.length, data.nextCursor ?? undefined);
  });
  // A page may be shorter than others, and even empty, though there are more: the next one is asked for until there is enough.
  if (next !== chain) setState({ ...current, chain: next, seen: [seen[0], Math.max(Math.min(seen[1], next.length - 1), placeOf(next, wanted).page)] });

  useEffect(() => {
    queries.setQueryData(noted, chain);
    chain.forEach(({ cursor }, at) => {
      if (at < seen[0] - KEPT || at > seen[1] + KEPT) queries.removeQueries({ queryKey: optionsOf(cursor).queryKey, exact: true });
    });
  }, [queries, noted, chain, seen, optionsOf]);

  const count = known(chain);
  const hasMore = chain.at(-1)?.size === undefined;

  const see = useCallback((first: number, last: number) => {
    setState((old) => {
      const wanted = last + AHEAD;
      const from = placeOf(old.chain, Math.max(first, 0)).page;
      const to = placeOf(old.chain, wanted).page;
      return from === old.seen[0] && to === old.seen[1] ? old : { ...old, seen: [from, to], wanted };
    });
  }, []);
  const more = useCallback(() => setState((old) => ({ ...old, seen: [old.seen[0], old.chain.length - 1] })), []);

  const pageOf = (at: number): Page<Row> | undefined => {
    const answer = answers[at - seen[0]];
    const cursor = chain[at]?.cursor;
    return answer?.data ?? queries.getQueryData<Page<Row>>(optionsOf(cursor).queryKey);
  };
  const failed = answers.find(({ error, data }) => error !== null && data === undefined);
  return {
    count,
    hasMore,
    at: (index) => {
      const { page, at } = placeOf(chain, index);
      return pageOf(page)?.items[at];
    },
    see,
    more,
    isMoreComing: hasMore && answers.some(({ isFetching }, n) => isFetching && seen[0] + n === chain.length - 1),
    isPending: count === 0 && answers.some(({ isPending }) => isPending),
    error: failed?.error,
    retry: () => {
      // A cursor that means nothing any more is not tried again: the list begins anew.
      if (isCode(failed?.error, "INVALID_CURSOR")) setState({ name, chain: START, seen: [0, 0], wanted: AHEAD });
      else void failed?.refetch();
    },
    loaded: () => chain.flatMap((_, at) => pageOf(at)?.items ?? []),
    between: async (first, last) => {
      const rows: Row[] = [];
      const [from, to] = [placeOf(chain, first), placeOf(chain, last)];
      for (let at = from.page; at <= to.page; at++) {
        const { items } = await queries.query({ ...optionsOf(chain[at]?.cursor), staleTime: STAYS });
        rows.push(...items.slice(at === from.page ? from.at : 0, at === to.page ? to.at + 1 : undefined));
      }
      return rows;
    },
  };
}
