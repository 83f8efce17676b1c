// What was chosen last, as it is called now: what is gone, or may not be seen any more, is left out.

import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { answer, api } from "~/api/client";
import { isCode } from "~/api/errors";
import type { Collection } from "~/api/types";
import { collections } from "~/content/collections";
import { useCan, useMe } from "~/session/session";

import { forget, recall, thingOf } from "./recent";
import type { Item } from "./sections";
import { useFoundItems } from "./useFound";

type Thing = NonNullable<ReturnType<typeof thingOf>>;

/** Of what is `known`, nothing is asked for; of the rest nothing before that is known. */
export function useRecent(known: readonly Item[], isKnown: boolean): Item[] {
  const me = useMe();
  const can = useCan();
  const { entry, person } = useFoundItems();
  const { data: models = [] } = useQuery({ ...collections, enabled: can("content:read_drafts") });
  const may = (thing: Thing) => (thing.kind === "entry" ? can("content:read_drafts") && models.some(({ slug }) => slug === thing.collection) : can("users:read"));
  const kept = recall(me.id).map((id) => ({ id, item: known.find((item) => item.id === id), thing: thingOf(id) }));
  const asked = kept.flatMap(({ id, item, thing }) => (!item && thing && isKnown && may(thing) ? [{ id, thing }] : []));

  const named = useQueries({
    queries: asked.map(({ id, thing }) => ({
      queryKey: ["recent", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => itemOf(thing, signal),
      // What it was called is not shown once more.
      gcTime: 0,
    })),
  });
  const itemOf = async (thing: Thing, signal: AbortSignal): Promise<Item> => {
    if (thing.kind === "entry") return entry(thing.collection, thing.id, await titleOf(thing, models, signal));
    return person(await answer(api.GET("/admin/users/{id}", { params: { path: { id: thing.id } }, signal })).then(({ item }) => item));
  };

  const gone = asked.filter((_, n) => isCode(named[n]?.error, "NOT_FOUND")).map(({ id }) => id).join(" ");
  useEffect(() => gone.split(" ").filter(Boolean).forEach((id) => forget(me.id, id)), [gone, me.id]);
  const found = new Map(asked.flatMap(({ id }, n) => (named[n]?.data && !named[n].error ? [[id, named[n].data] as const] : [])));
  return kept.flatMap(({ id, item }) => item ?? found.get(id) ?? []);
}

/** What an entry is called now. */
async function titleOf({ collection, id }: Thing & { kind: "entry" }, models: readonly Collection[], signal: AbortSignal): Promise<string | null> {
  const named = models.find(({ slug }) => slug === collection)?.titleField;
  const query = named ? { fields: named } : {};
  const { item } = await answer(api.GET("/content/{collection}/{id}", { params: { path: { collection, id }, query }, signal }));
  const title = [named ?? "title", "name"].map((field) => item.data[field]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof title === "string" ? title : item.slug;
}
