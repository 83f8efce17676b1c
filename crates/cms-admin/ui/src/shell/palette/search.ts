// Looks for entries and people at the server: a few requests for each pause in typing, which are dropped when the next letter comes.

import { useEffect, useEffectEvent, useState } from "react";

import { answer, api } from "~/api/client";
import type { Collection, Entry, User } from "~/api/types";
import { searchedField } from "~/content/titleField";

/** How long after the last key it begins, in milliseconds. */
const PAUSE = 120;
/** The fewest letters that are looked for. */
const LEAST = 2;
/** The most requests of a pause in typing. */
const REQUESTS = 3;
/** How many entries of a collection are asked for, and how many people. */
export const LIMIT = 6;

/** What the server found. */
export interface Found {
  text: string;
  entries: { collection: Collection; entry: Entry }[];
  people: User[];
  /** Collections that have more than what was found. */
  more: Collection[];
  /** Why something of it is missing. */
  error: unknown;
}

const NOTHING: Found = { text: "", entries: [], people: [], more: [], error: null };

/** Which of some collections can be looked through, and whether all of them are. People take a request, too. */
export function looksThrough(collections: readonly Collection[], mayPeople: boolean): { asked: Collection[]; left: Collection[] } {
  const able = collections.filter((collection) => searchedField(collection));
  const most = mayPeople ? REQUESTS - 1 : REQUESTS;
  return { asked: able.slice(0, most), left: able.slice(most) };
}

/** What the server finds for a text in the titles of some collections, and among people; not before it is known which those are. */
export function useSearch(typed: string, collections: readonly Collection[], { mayPeople, isReady }: { mayPeople: boolean; isReady: boolean }) {
  const text = typed.trim();
  const [found, setFound] = useState(NOTHING);
  const [tries, setTries] = useState(0);
  const isEnough = text.length >= LEAST || /\p{Script=Han}/u.test(text);
  const isAsked = isEnough && (!isReady || mayPeople || collections.length > 0);
  const names = collections.map(({ slug }) => slug).join();
  const ask = useEffectEvent((signal: AbortSignal) => look(text, collections, mayPeople, signal));

  useEffect(() => {
    if (!isAsked || !isReady) return;
    const controller = new AbortController();
    const begin = () => void ask(controller.signal).then((found) => controller.signal.aborted || setFound(found));
    const timer = setTimeout(begin, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isAsked, isReady, text, names, mayPeople, tries]);

  function again() {
    setFound(NOTHING);
    setTries(tries + 1);
  }

  const isThere = isAsked && found.text === text;
  return { found: isAsked ? found : NOTHING, isAsking: isAsked && !isThere, error: isThere ? found.error : null, again };
}

async function look(text: string, collections: readonly Collection[], mayPeople: boolean, signal: AbortSignal): Promise<Found> {
  const lists = collections.map(async (collection) => {
    const { items, nextCursor } = await entriesOf(collection, text, signal);
    return { entries: items.map((entry) => ({ collection, entry })), more: nextCursor ? [collection] : [] };
  });
  const users = mayPeople ? answer(api.GET("/admin/users", { params: { query: { search: text.slice(0, 100), limit: LIMIT } }, signal })) : Promise.resolve({ items: [] });
  const [people, ...listed] = await Promise.allSettled([users, ...lists]);
  const there = listed.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = [people, ...listed].find((one) => one.status === "rejected");
  return {
    text,
    entries: there.flatMap(({ entries }) => entries),
    more: there.flatMap(({ more }) => more),
    people: people.status === "fulfilled" ? people.value.items : [],
    error: failed ? failed.reason : null,
  };
}

function entriesOf(collection: Collection, text: string, signal: AbortSignal) {
  const title = searchedField(collection)?.slug ?? "";
  const query = { fieldFilters: JSON.stringify({ [title]: { contains: text.slice(0, 200) } }), fields: title, orderBy: "updatedAt", limit: LIMIT };
  return answer(api.GET("/content/{collection}", { params: { path: { collection: collection.slug }, query }, signal }));
}
