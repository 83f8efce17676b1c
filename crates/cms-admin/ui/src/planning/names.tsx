// What collections and people are called on the cards of a screen: asked for once for all of them, and for no more collections than a few.

import { useQueries, useQuery } from "@tanstack/react-query";
import { createContext, use, useMemo, type ReactNode } from "react";

import type { AnyEntry, Collection, EntryAuthor } from "~/api/types";
import { authors } from "~/content/authors";
import { collections } from "~/content/collections";
import { useLocales } from "~/content/site";

/** The most collections whose authors are asked for: people who write for one mostly write for others, too. */
const MOST = 12;

export interface Names {
  collections: readonly Collection[];
  collectionOf: (slug: string) => Collection | undefined;
  authors: readonly EntryAuthor[];
  authorOf: (id: string | null) => EntryAuthor | undefined;
  locales: readonly string[];
}

/** What is needed to name the entries of some collections. */
export function useNamesOf(slugs: Iterable<string>): Names {
  const { data } = useQuery(collections);
  const asked = [...new Set(slugs)].slice(0, MOST);
  const known = useQueries({ queries: asked.map((slug) => authors(slug)), combine: together });
  const locales = useLocales();
  return useMemo(() => {
    const all = data ?? [];
    const bySlug = new Map(all.map((collection) => [collection.slug, collection]));
    return { collections: all, collectionOf: (slug) => bySlug.get(slug), authors: [...known.values()], authorOf: (id) => known.get(id ?? ""), locales };
  }, [data, known, locales]);
}

function together(answers: { data: EntryAuthor[] | undefined }[]): Map<string, EntryAuthor> {
  return new Map(answers.flatMap(({ data }) => data?.map((author) => [author.id, author] as const) ?? []));
}

const Named = createContext<Names | undefined>(undefined);

export function NamesProvider({ names, children }: { names: Names; children: ReactNode }) {
  return <Named value={names}>{children}</Named>;
}

export function useNames(): Names {
  const names = use(Named);
  if (!names) throw new Error("there is nobody who knows names around this");
  return names;
}

/** The longest title that is shown, in characters. */
const LONGEST = 300;

/** What an entry is called: its title, else the end of its address. */
export function titleOf({ title, slug }: Pick<AnyEntry, "title" | "slug">, untitled: string): string {
  return title?.trim() ? title.trim().slice(0, LONGEST) : (slug ?? untitled);
}
