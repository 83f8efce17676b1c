// Who else has the entry open, as the server tells.

import { useEffect, useState } from "react";

import type { components } from "~/api/schema";

import type { EntrySession } from "./session";

export type Person = components["schemas"]["Person"];

/** How long people stay on the screen when the server tells nothing any more, in milliseconds: most connections that break are there again sooner. */
const REMEMBERED = 5_000;

export function usePeople(session: EntrySession): Person[] {
  const [people, setPeople] = useState<Person[]>([]);
  useEffect(() => {
    let timer: number | undefined;
    const hear = () => {
      const news = session.news.get();
      window.clearTimeout(timer);
      if (news) setPeople(news.people ?? []);
      else timer = window.setTimeout(() => setPeople([]), REMEMBERED);
    };
    hear();
    const leave = session.news.subscribe(hear);
    return () => {
      leave();
      window.clearTimeout(timer);
    };
  }, [session]);
  return people;
}
