// An order that somebody is changing: shown at once, sent when they pause, and taken back where the server refuses it.

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";

import { toast } from "~/components/toast";

/** How long nothing moves until the order is sent, in milliseconds: a key moves an item one place at a time. */
const PAUSE = 700;

export function useOrder<Item extends { slug: string }>(items: readonly Item[], send: (slugs: string[]) => Promise<unknown>) {
  const [wanted, setWanted] = useState<string[]>();
  const timer = useRef<number>(undefined);
  const pending = useRef<string[]>(undefined);
  const sending = useEffectEvent(send);

  const flush = useCallback(() => {
    window.clearTimeout(timer.current);
    const slugs = pending.current;
    pending.current = undefined;
    if (!slugs) return;
    sending(slugs)
      .catch((error: unknown) => toast.bad(error))
      .finally(() => !pending.current && setWanted(undefined));
  }, []);

  // Whoever leaves has moved what they have moved.
  useEffect(() => flush, [flush]);

  function move(moved: readonly Item[]) {
    const slugs = moved.map(({ slug }) => slug);
    const isAsBefore = slugs.every((slug, n) => items[n]?.slug === slug);
    window.clearTimeout(timer.current);
    pending.current = isAsBefore ? undefined : slugs;
    setWanted(isAsBefore ? undefined : slugs);
    if (!isAsBefore) timer.current = window.setTimeout(flush, PAUSE);
  }

  const place = ({ slug }: Item) => {
    const at = wanted?.indexOf(slug) ?? -1;
    return at < 0 ? items.length : at;
  };
  return { shown: wanted ? items.toSorted((one, other) => place(one) - place(other)) : [...items], move };
}
