// Saved views: a name for what a list asks and shows.

import { answer, api } from "~/api/client";
import type { SavedView } from "~/api/types";

/** A saved view of a list. */
export type View = Pick<SavedView, "id" | "name" | "search" | "isShared" | "mayEdit" | "_rev">;

/** What is said of a view. */
export type Draft = Pick<View, "name" | "search" | "isShared">;

/** Where the views of a list are kept. */
export interface ViewStore {
  /** Whether views can be shared. */
  canShare: boolean;
  list: () => Promise<View[]>;
  add: (draft: Draft) => Promise<unknown>;
  change: (view: View, draft: Draft) => Promise<unknown>;
  remove: (view: View) => Promise<unknown>;
}

/** The most views that a list shows: a page of the server, which has room for all of somebody's own. */
const MOST = 100;

/** The views of a collection's list, which the server keeps. */
export function serverViews(collection: string, canShare: boolean): ViewStore {
  const one = ({ id }: View) => ({ path: { id } });
  return {
    canShare,
    list: () => answer(api.GET("/views", { params: { query: { collection, limit: MOST } } })).then(({ items }) => items),
    add: (draft) => answer(api.POST("/views", { body: { collection, ...draft } })),
    change: (view, draft) => answer(api.PUT("/views/{id}", { params: one(view), body: { ...draft, _rev: view._rev } })),
    remove: (view) => answer(api.DELETE("/views/{id}", { params: one(view) })),
  };
}
