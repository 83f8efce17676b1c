// What the editor and a page of the site say to each other. The other half is `site/preview.js`, which sites copy: `docs/preview.md` has the shape for those
// who write their own.

import type { Entry } from "./entry";

/** The version of the messages: it changes when an older page would misunderstand a newer editor. */
export const VERSION = 1;

/** What the editor says. */
export type ToPage =
  /** Asks a page to say that it is ready. */
  | { type: "hello" }
  /**
   * What the entry looks like: whole, or those members of it that are others now. Of its fields those are in `data` that are others, null where one has no
   * value any more; and in `parts` those long lists, such as texts, of which only some items are others.
   */
  | { type: "entry"; number: number; whole: boolean; entry: Partial<Entry>; parts: Record<string, Part>; saved: boolean };

/** What to do with a list: from the item at a place on, drop some items and put others there. */
export interface Part {
  at: number;
  drop: number;
  items: unknown[];
}

/** What a page says. */
export type FromPage =
  /** It is there, and waits to be told. `page` is another number each time that it is loaded. */
  | { type: "ready"; url: string; page: number }
  /** What it was told is on the screen. */
  | { type: "shown"; number: number }
  /** It has another address now, without being loaded anew. */
  | { type: "moved"; url: string; replaced: boolean }
  /** Somebody pressed a link to another page of the site. */
  | { type: "link"; url: string };

/** A message as it is sent. */
export function sealed(message: ToPage) {
  return { cms: "preview", version: VERSION, ...message };
}

/** What a page said; its version, where that is another one; nothing where it is no message of these. */
export function readMessage(data: unknown): FromPage | { type: "stranger"; version: number } | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const said = data as Record<string, unknown>;
  if (said.cms !== "preview" || typeof said.version !== "number") return undefined;
  if (said.version !== VERSION) return { type: "stranger", version: said.version };
  const { type, url, number, replaced, page } = said;
  if (type === "shown") return typeof number === "number" ? { type, number } : undefined;
  if (typeof url !== "string") return undefined;
  if (type === "ready") return typeof page === "number" ? { type, url, page } : undefined;
  if (type === "link") return { type, url };
  return type === "moved" ? { type, url, replaced: replaced === true } : undefined;
}
