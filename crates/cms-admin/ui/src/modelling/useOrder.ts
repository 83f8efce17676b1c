// An order that somebody is changing: shown at once, sent when they pause, and taken back where the server refuses it.

import { useEffect, useEffectEvent, useRef, useState } from "react";

import { toast } from "~/components/toast";

/** How long nothing moves until the order is sent, in milliseconds: a key moves an item one place at a time. */
const PAUSE = 700;

export function useOrder<Item extends { slug: string }>(items: readonly Item[], send: (slugs: string[]) => Promise<unknown>) {
  const [wanted, setWanted] = useState<string[]>();
  const isSent = useRef(true);

  const flush = useEffectEvent(() => {
    if (!wanted || isSent.current) return;
    isSent.current = true;
    send(wanted)
      .catch((error: unknown) => toast.bad(error))
      .finally(() => isSent.current && setWanted(undefined));
  });

  useEffect(() => {
    if (!wanted) return;
    const timer = window.setTimeout(() => flush(), PAUSE);
    return () => window.clearTimeout(timer);
  }, [wanted]);

  // Whoever leaves has moved what they have moved.
  useEffect(() => () => flush(), []);

  function move(moved: readonly Item[]) {
    const slugs = moved.map(({ slug }) => slug);
    const isAsBefore = slugs.every((slug, n) => items[n]?.slug === slug);
    isSent.current = isAsBefore;
    setWanted(isAsBefore ? undefined : slugs);
  }

  const place = ({ slug }: Item) => {
    const at = wanted?.indexOf(slug) ?? -1;
    return at < 0 ? items.length : at;
  };
  return { shown: wanted ? items.toSorted((one, other) => place(one) - place(other)) : [...items], move };
}
