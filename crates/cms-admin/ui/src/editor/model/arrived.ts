// New entries whose answer got lost with the tab that sent them.

import type { QueryClient } from "@tanstack/react-query";

import { hasAllOf } from "~/editing/draft";

import { model } from "../queries";
import type { KeptNew } from "./kept";
import { EntryStore } from "./store";

/** Whether the server has all of a new entry that a tab left behind. */
export async function hasArrived(queries: QueryClient, { collection, locale, translationOf, kept: { note } }: KeptNew): Promise<boolean> {
  if (!note.sent) return false;
  const opened = await queries.query(model(collection));
  const store = new EntryStore({ ...opened, locale, translationOf, values: () => note.values, item: () => undefined, onAnswer: () => undefined });
  store.goOnAs(note.base.rev);
  const { values } = await store.load();
  return store.isThere && hasAllOf(note, values);
}
