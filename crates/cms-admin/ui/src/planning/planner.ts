// What cards and chips know of the planning that they are part of.

import { createContext, use } from "react";

import type { AnyEntry } from "~/api/types";

import type { PlanDeed } from "./steps";
import type { Offer } from "./offers";

export interface Planner {
  /** What can be done with an entry by whoever looks. */
  offers: (entry: AnyEntry) => Offer[];
  /** Does what was offered, and asks before where there is something to ask. */
  choose: (entry: AnyEntry, offer: Offer) => void;
  /** Does something at once. */
  act: (entry: AnyEntry, deed: PlanDeed) => void;
  /** Notes that somebody goes to the editor of an entry: it may be another one when they come back. */
  visit: (entry: AnyEntry) => void;
  /** Whether something is being done with an entry. */
  isBusy: (entry: AnyEntry) => boolean;
  /** Why something did not work with an entry. */
  refusal: (entry: AnyEntry) => string | undefined;
  nameOf: (entry: AnyEntry) => string;
  /** The entry that the keyboard goes along with, where it went elsewhere. */
  followed: string | undefined;
}

export const PlannerContext = createContext<Planner | undefined>(undefined);

export function usePlanner(): Planner {
  const planner = use(PlannerContext);
  if (!planner) throw new Error("there is nobody who plans around this");
  return planner;
}
