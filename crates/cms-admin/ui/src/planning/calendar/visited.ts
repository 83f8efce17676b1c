// Entries that were opened from the calendar: they may be others when somebody comes back, and are then asked for one by one.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { AnyEntry } from "~/api/types";

import { fresh } from "../deeds";
import { isAskedAnew, placeInCalendar } from "../keep";
import type { Question } from "../question";

/** Of more than these, those that were opened last. */
const MOST = 5;

let visited: readonly AnyEntry[] = [];

/** Notes that an entry is opened. */
export function visit(entry: AnyEntry): void {
  visited = [...visited.filter(({ id }) => id !== entry.id), entry].slice(-MOST);
}

/** Shows what was opened as it is now. */
export function useVisited(question: Question): void {
  const queries = useQueryClient();
  useEffect(() => {
    const asked = visited;
    visited = [];
    for (const entry of asked) {
      fresh(queries, entry).then(
        // All of it may be asked for anyway: then this comes with it.
        (now) => (isAskedAnew(queries, question) ? undefined : placeInCalendar(queries, question, { id: entry.id, type: entry.type, entry: now })),
        // What cannot be told now is seen when the calendar is asked for again.
        () => undefined,
      );
    }
    // Whoever comes back has the question that they left with.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}
