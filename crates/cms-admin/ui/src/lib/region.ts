// Whose dates and numbers are written: those of the region that somebody chose, else of the browser's.

import { useSyncExternalStore } from "react";

/** Regions to choose from, one for each way of writing dates that people of our languages use. */
export const REGIONS = ["AT", "AU", "CA", "CH", "DE", "EG", "GB", "IE", "IN", "JO", "MA", "NZ", "SA", "US", "ZA", "AE"] as const;

const KEY = "cms-region";
const listeners = new Set<() => void>();

/** The region that was chosen in this browser. */
export function chosenRegion(): string | undefined {
  try {
    const region = localStorage.getItem(KEY) ?? undefined;
    return region && /^[A-Z]{2}$/.test(region) ? region : undefined;
  } catch {
    return undefined;
  }
}

/** Writes dates and numbers as in a region from now on; without one, as in the browser's. */
export function chooseRegion(region: string | undefined): void {
  try {
    if (region) localStorage.setItem(KEY, region);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage nothing can be chosen.
  }
  listeners.forEach((listener) => listener());
}

/** The first region that one of these languages names, as in `GB` of `en-GB`. */
export function regionOf(tags: readonly string[]): string | undefined {
  return tags.map(readRegion).find((region) => region !== undefined);
}

function readRegion(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}

/** A language as it is written in a region, as in `en-GB`. What there is no such thing of is written as the language. */
export function inRegion(language: string, region: string | undefined): string {
  return region ? `${language}-${region}` : language;
}

/** What dates and numbers of a language are written by. */
export function useRegional(language: string): string {
  return inRegion(language, useChosenRegion() ?? regionOf(navigator.languages));
}

/** The chosen region, if there is one. */
export function useChosenRegion(): string | undefined {
  return useSyncExternalStore(subscribe, chosenRegion);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
