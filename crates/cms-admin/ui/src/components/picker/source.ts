// Where a picker finds what can be chosen.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { fold } from "~/lib/fold";

/** Something that can be chosen. */
export interface Option {
  id: string;
  label: string;
  /** What tells it from others of the same name. */
  hint?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean;
}

export interface Source<Choice extends Option> {
  /** What the answers are kept under: two sources that answer alike have the same key. */
  key: readonly unknown[];
  load: (asked: { text: string; cursor: string | undefined; signal: AbortSignal }) => Promise<{ items: Choice[]; nextCursor?: string | null | undefined }>;
}

/** How long after the last key the search begins, in milliseconds. */
const PAUSE = 200;

/** What fits a text, in pages. What was found before stays until the next is there. */
export function useFound<Choice extends Option>(source: Source<Choice>, text: string) {
  const asked = useDebounced(text.trim(), PAUSE);
  const query = useInfiniteQuery({
    queryKey: ["picker", ...source.key, asked],
    queryFn: ({ pageParam, signal }) => source.load({ text: asked, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  });
  return { ...query, options: query.data?.pages.flatMap(({ items }) => items), isStale: query.isPlaceholderData || asked !== text.trim() };
}

/** A value as it was when it last stood still. */
function useDebounced<Value>(value: Value, pause: number): Value {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return still;
}

/** A source of what is known already: it finds what has every word in its name or hint. */
export function knownSource<Choice extends Option>(key: readonly unknown[], options: readonly Choice[]): Source<Choice> {
  return {
    key: [...key, options.map(({ id, label }) => [id, label])],
    load: ({ text }) => {
      const words = fold(text).split(/\s+/);
      return Promise.resolve({ items: options.filter(({ label, hint }) => words.every((word) => fold(`${label} ${hint ?? ""}`).includes(word))) });
    },
  };
}
