// The entries and people that fit what is typed: of the entries that changed last, which are known, and of what the server finds.

import { useLingui } from "@lingui/react/macro";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { CircleUser, List } from "lucide-react";
import { createElement } from "react";

import { answer, api } from "~/api/client";
import { collection, collections, useShownCollections } from "~/content/collections";
import { ALL_KEY, PAGE } from "~/content/entries";
import { collectionIcon } from "~/content/icons";
import { titleIn } from "~/content/titleField";
import { useCan, useMe } from "~/session/session";

import { score } from "./fuzzy";
import { entryId, personId, recall, thingOf } from "./recent";
import { LIMIT, looksThrough, useSearch } from "./search";
import type { Item } from "./sections";

/** How many collections are thought of for a search. */
const THOUGHT_OF = 5;
/** The longest name that is shown, in characters. */
const LONGEST = 300;

const nothing = () => undefined;

/** Says how things look that the server found. */
export function useFoundItems() {
  const { t } = useLingui();
  const { data } = useQuery({ ...collections, enabled: useCan()("content:read_drafts") });
  const modelOf = (slug: string) => data?.find((one) => one.slug === slug);
  return {
    entry: (slug: string, id: string, title: string | null | undefined): Item => ({
      id: entryId(slug, id),
      group: "entries",
      to: `/content/${slug}/${id}`,
      label: title?.trim() ? title.trim().slice(0, LONGEST) : t`Untitled`,
      hint: modelOf(slug)?.label ?? slug,
      icon: createElement(collectionIcon(modelOf(slug)?.icon ?? null), { "aria-hidden": true }),
      by: "words",
      isKept: true,
      run: nothing,
    }),
    person: ({ id, name, email }: { id: string; name: string | null; email: string }): Item => ({
      id: personId(id),
      group: "people",
      to: `/users/${id}`,
      label: name ? `${name} (${email})` : email,
      icon: <CircleUser aria-hidden />,
      by: "words",
      isKept: true,
      run: nothing,
    }),
    list: (slug: string, text: string): Item => {
      const label = modelOf(slug)?.label ?? slug;
      return { id: `list:${slug}`, group: "lists", to: `/content/${slug}`, search: { q: text }, label: t`“${text}” in ${label}`, icon: <List aria-hidden />, run: nothing };
    },
  };
}

interface FoundItems {
  /** The entries that changed last; whether they have come, or cannot. */
  known: Item[];
  isKnown: boolean;
  /** What the server found for what is typed. */
  late: Item[];
  isAsking: boolean;
  error: unknown;
  again: () => void;
}

export function useFound(typed: string): FoundItems {
  const can = useCan();
  const mayRead = can("content:read_drafts");
  const mayPeople = can("users:read");
  const { entry, person, list } = useFoundItems();
  const last = useQuery({
    queryKey: [...ALL_KEY, "palette"],
    queryFn: ({ signal }) => answer(api.GET("/content", { params: { query: { limit: PAGE } }, signal })),
    enabled: mayRead,
  });
  const changed = mayRead ? (last.data?.items ?? []) : [];
  const isKnown = !mayRead || !last.isPending;
  const likely = useLikely(changed.map(({ type }) => type));
  const models = useQueries({ queries: (isKnown ? likely : []).map((slug) => collection(slug)) });
  // Where it is looked is known before it is: it would begin anew with each collection that comes.
  const isReady = isKnown && models.every(({ isPending }) => !isPending);
  const { asked, left } = looksThrough(isReady ? models.flatMap(({ data }) => (data ? [data] : [])) : [], mayPeople);
  const { found, isAsking, error, again } = useSearch(typed, asked, { mayPeople, isReady });
  const text = found.text;
  // What was found for fewer letters stays as far as it fits.
  const fits = ({ label }: Item) => text === typed.trim() || score(label, typed, "words") > 0;
  const lists = text !== "" && text === typed.trim() ? [...found.more, ...left] : [];
  return {
    known: changed.map(({ type, id, title, slug }) => ({ ...entry(type, id, title ?? slug), ...(title && slug ? { words: slug } : {}) })),
    isKnown,
    late: [
      ...found.entries.map(({ collection, entry: one }) => entry(collection.slug, one.id, titleIn(collection, one.data) ?? one.slug)).filter(fits),
      ...found.people.slice(0, LIMIT).map(person).filter(fits),
      ...lists.map(({ slug }) => list(slug, text)),
    ],
    isAsking,
    error: error ?? (typed.trim() ? last.error : null),
    again: () => {
      again();
      if (last.error) void last.refetch();
    },
  };
}

/** The collections in which an entry is looked for: the one that is open, those of what was chosen last, those that are written in, then the first ones. */
function useLikely(changed: readonly string[]): string[] {
  const me = useMe();
  const open = useRouterState({ select: ({ matches }) => (matches.at(-1)?.params as { collection?: string } | undefined)?.collection });
  const shown = useShownCollections().map(({ slug }) => slug);
  const chosen = recall(me.id).map(thingOf).flatMap((thing) => (thing?.kind === "entry" ? [thing.collection] : []));
  return [...new Set([open ?? "", ...chosen, ...changed, ...shown])].filter((slug) => shown.includes(slug)).slice(0, THOUGHT_OF);
}
