// The open entry, for what is drawn of it: each part follows only what it shows.

import { createContext, use, useSyncExternalStore } from "react";

import type { Issue } from "~/api/errors";
import type { State } from "~/editing/draft";

import { useCell } from "./cell";
import { grouped } from "./grouped";
import type { EntrySession } from "./session";
import type { Field, Item } from "./values";

export const SessionContext = createContext<EntrySession | undefined>(undefined);

export function useSession(): EntrySession {
  const session = use(SessionContext);
  if (!session) throw new Error("no entry is open here");
  return session;
}

/** A part of what is true of the draft. It is drawn anew when the part is another one, so give what keeps its identity. */
export function useDraft<T>(part: (state: State) => T): T {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => part(session.state()));
}

/** The fields that are there: some may be removed while it is open. */
export function useFields(): Field[] {
  useDraft(({ removed }) => removed);
  return useSession().fields;
}

/** The value of a field. */
export function useValue(name: string): unknown {
  return useDraft(({ values }) => values[name]);
}

/** The entry as the server answered it last; none while it is new. */
export function useItem(): Item | undefined {
  return useCell(useSession().item);
}

const NONE: Issue[] = [];
/** Issues by the field that they are about. Made once for each list, so that each field keeps its own. */
const sorted = new WeakMap<Issue[], Map<string, Issue[]>>();

export function byField(issues: Issue[]): Map<string, Issue[]> {
  let map = sorted.get(issues);
  if (!map) {
    map = grouped(issues, ({ path }) => nameIn(path));
    sorted.set(issues, map);
  }
  return map;
}

/** The first part of a path, which is the name of a field; `data` before it is passed over. */
export function nameIn(path: string): string {
  const [first = "", second = ""] = path.split(".");
  return first === "data" ? second : first;
}

/** What the server has against the value of a field. What is only missing is told once somebody wants to be done with it. */
export function useIssues(name: string): Issue[] {
  const session = useSession();
  const isTried = useCell(session.isTried);
  const issues = useDraft(({ issues }) => byField(issues).get(name) ?? NONE);
  return isTried || !session.isNew || issues.some(({ code }) => code !== "REQUIRED") ? issues : NONE;
}
