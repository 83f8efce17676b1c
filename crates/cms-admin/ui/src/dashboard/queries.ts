// What the cards ask for. Cards that ask the same share an answer.

import { queryOptions } from "@tanstack/react-query";

import { answer, api } from "~/api/client";
import type { AnyEntry } from "~/api/types";
import { ALL_KEY } from "~/content/entries";
import type { operations } from "~/api/schema";

type Asked = NonNullable<operations["listAllContent"]["parameters"]["query"]>;

export interface Some {
  items: AnyEntry[];
  /** There are more, or there may be. */
  hasMore: boolean;
}

/** As many as the server gives at once. */
const ALL = 100;
/** As many as a card shows. */
export const SHOWN = 5;

const some = (query: Asked) =>
  queryOptions({
    queryKey: [...ALL_KEY, "dashboard", query],
    queryFn: async ({ signal }): Promise<Some> => {
      const { items, nextCursor } = await answer(api.GET("/content", { params: { query }, signal }));
      return { items, hasMore: Boolean(nextCursor) };
    },
  });

/** Somebody's entries that are not public. */
export const draftsOf = (user: string) => some({ status: "draft", authorId: user, limit: SHOWN });

/** Whether somebody's entries are public. */
export const publishedOf = (user: string) => some({ status: "published", authorId: user, limit: 1 });

/** Entries that are not public, of everybody. */
export const drafts = some({ status: "draft", limit: ALL });

/** Entries that wait for their time. The server lists them by when they changed; by their time they are put here. */
export const planned = some({ status: "scheduled", limit: ALL });

/** Somebody's entries that wait for their time. */
export const plannedOf = (user: string) => some({ status: "scheduled", authorId: user, limit: ALL });

/** What changed last. */
export const changed = some({ limit: SHOWN });
