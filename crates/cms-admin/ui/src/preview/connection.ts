// The page in the frame: whether it is that of the entry, whether it answers, and what it is told. Messages of anybody else are left alone, and nobody else is
// told anything: each is sent to the configured origin alone, and one that comes is taken from the frame's own window and that origin.

import type { Entry } from "./entry";
import { Feed } from "./feed";
import { readMessage, sealed, type ToPage } from "./messages";

/** How the page in the frame stands. */
export type Standing =
  /** It is on its way, or has not answered yet. */
  | { phase: "loading" }
  /** It shows what is written. */
  | { phase: "live" }
  /** It is another page of the site; `url` where that is known. */
  | { phase: "elsewhere"; url?: string | undefined }
  /** It is there, or should be, and does not answer. */
  | { phase: "silent"; reason: Reason };

export type Reason =
  /** Nothing is known: the page has no script, or one that knows another address of the editor, or may not be shown in a frame. */
  | { kind: "unknown" }
  /** A page answered from another origin than the one that is configured. */
  | { kind: "origin"; origin: string }
  /** The script of the site speaks another version. */
  | { kind: "version"; version: number }
  /** The page led to where the policy lets no frame go. */
  | { kind: "refused" };

/** How long a page that was loaded may take to answer, in milliseconds. */
export const ANSWER = 4_000;
/** How long a page that answered before is believed to be there still when something was loaded, in milliseconds. */
const DOUBT = 1_000;
/** How long a page may take to be loaded and to answer, in milliseconds. */
export const LOAD = 15_000;

interface Options {
  /** Of the site, as it is configured. */
  origin: string;
  /** The window in the frame. */
  frame: () => Pick<Window, "postMessage"> | null | undefined;
  look: () => { entry: Entry; saved: boolean } | undefined;
  onStanding: (standing: Standing) => void;
}

export class Connection {
  #standing: Standing = { phase: "loading" };
  /** Where the entry is on the site, once its page has said so: sites lead from the address of the link to another one as they like. */
  #home: string | undefined;
  /** Which page answered last. */
  #page: number | undefined;
  /** The link that somebody pressed last. */
  #followed: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #feed: Feed;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
    this.#feed = new Feed({ look: options.look, send: (message) => this.#send(message) });
    this.#waitFor(LOAD);
  }

  /** The entry is another one, perhaps. */
  readonly changed = (): void => this.#feed.changed();

  /** Something was loaded into the frame: the page of the entry, again, or what a link led to. */
  loaded(): void {
    if (this.#standing.phase === "silent" || this.#standing.phase === "elsewhere") return;
    if (this.#home === undefined) {
      this.#waitFor(ANSWER);
      return;
    }
    // The page that answered a moment ago, or another one in its place: whichever it is says so.
    this.#send({ type: "hello" });
    this.#after(DOUBT, () => {
      if (this.#followed !== undefined) {
        this.#away(this.#followed);
        return;
      }
      this.#feed.stop();
      this.#say({ phase: "loading" });
      this.#waitFor(ANSWER - DOUBT);
    });
  }

  /** The policy of this application kept the frame from going where it was led. */
  refused(): void {
    this.#fail({ kind: "refused" });
  }

  /** A message to this window. */
  hear({ data, origin, source }: Pick<MessageEvent, "data" | "origin" | "source">): void {
    if (source === null || source !== this.#options.frame()) return;
    const said = readMessage(data);
    if (!said) return;
    if (origin !== this.#options.origin) {
      if (this.#standing.phase !== "live") this.#fail({ kind: "origin", origin });
      return;
    }
    switch (said.type) {
      case "stranger":
        this.#fail({ kind: "version", version: said.version });
        break;
      case "ready":
        this.#answered(said.url, said.page);
        break;
      case "moved":
        if (said.replaced && this.#standing.phase === "live") this.#home = placeOf(said.url);
        else if (placeOf(said.url) === this.#home) this.#arrived(said.url);
        else if (this.#home !== undefined) this.#away(said.url);
        break;
      case "link":
        this.#followed = said.url;
        break;
      case "shown":
        this.#feed.shown(said.number);
    }
  }

  /** Nobody looks any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#feed.stop();
  }

  /** A page says that it is there: a new one, or the one that was asked whether it still is. */
  #answered(url: string, page: number): void {
    if (page === this.#page && this.#standing.phase === "live") clearTimeout(this.#timer);
    else this.#arrived(url);
    this.#page = page;
  }

  /** A page of the site is there. The first one is that of the entry. */
  #arrived(url: string): void {
    const place = placeOf(url);
    this.#home ??= place;
    if (place !== this.#home) {
      this.#away(url);
      return;
    }
    clearTimeout(this.#timer);
    this.#followed = undefined;
    this.#say({ phase: "live" });
    this.#feed.begin();
  }

  #away(url: string | undefined): void {
    clearTimeout(this.#timer);
    this.#feed.stop();
    this.#followed = undefined;
    this.#say({ phase: "elsewhere", url });
  }

  #fail(reason: Reason): void {
    clearTimeout(this.#timer);
    this.#feed.stop();
    this.#say({ phase: "silent", reason });
  }

  #after(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, milliseconds);
  }

  #waitFor(milliseconds: number): void {
    this.#after(milliseconds, () => {
      // Whose page answered before is configured well: it went where nobody answers, which is no mistake of anybody's.
      if (this.#home === undefined) this.#fail({ kind: "unknown" });
      else this.#away(this.#followed);
    });
  }

  #say(standing: Standing): void {
    this.#standing = standing;
    this.#options.onStanding(standing);
  }

  #send(message: ToPage): void {
    this.#options.frame()?.postMessage(sealed(message), this.#options.origin);
  }
}

/** A page of the site: its path. What stands behind it, as the token of the link, is the site's own affair. */
function placeOf(url: string): string {
  try {
    return new URL(url).pathname.replace(/(.)\/+$/, "$1");
  } catch {
    return url;
  }
}
