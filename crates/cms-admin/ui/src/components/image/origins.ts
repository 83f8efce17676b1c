// Other sites whose images somebody asked for, for as long as the tab lives.

import { useSyncExternalStore } from "react";

import { origin as site } from "~/lib/site";

const KEY = "cms-image-origins";

let asked: ReadonlySet<string> = new Set(remembered());
const listeners = new Set<() => void>();

function remembered(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

/** The site that an image would be sent for from, where it is another one. What no browser sends for, such as an image in its own address, is on none. */
export function foreignOrigin(src: string): string | undefined {
  try {
    const { protocol, origin } = new URL(src, location.href);
    return /^https?:$/.test(protocol) && origin !== location.origin && origin !== site ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** Sends for the images of a site from now on. */
export function ask(origin: string): void {
  asked = new Set([...asked, origin]);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...asked]));
  } catch {
    // It holds until the page is closed.
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says whether the images of a site are asked for. */
export function useIsAskedFor(): (origin: string) => boolean {
  const all = useSyncExternalStore(subscribe, () => asked);
  return (origin) => all.has(origin);
}
