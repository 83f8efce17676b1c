// How the list of a collection was left: its filters and how far it was scrolled. Whoever goes back from an entry finds it so.

import { useLayoutEffect } from "react";

import { stringifySearch } from "~/lib/search";

import type { ListSearch } from "./question";

interface Left {
  /** What stood behind the question mark of its address, with it. */
  search: string;
  place: number;
}

const lists = new Map<string, Left>();
let isReturning = false;

/** What the address of a list had when it was left. */
export const lastSearch = (collection: string): string => lists.get(collection)?.search ?? "";

/** Has the list that is opened next begin where it was left. */
export function returnToPlace(): void {
  isReturning = true;
}

/** Notes how a list is left, and takes whoever returns to it to where they were. */
export function useLastList(collection: string, search: ListSearch): void {
  // Before the next screen takes its place: that one scrolls the window, too.
  useLayoutEffect(() => {
    const left = lists.get(collection);
    if (isReturning && left) window.scrollTo({ top: left.place });
    isReturning = false;
    const note = (place: number) => lists.set(collection, { search: stringifySearch({ ...search }), place });
    const noteScrolled = () => note(window.scrollY);
    // Where the window is scrolled to is known once it is laid out, which is not done for this alone.
    note(left?.place ?? 0);
    const frame = requestAnimationFrame(noteScrolled);
    window.addEventListener("scroll", noteScrolled, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", noteScrolled);
    };
  }, [collection, search]);
}
