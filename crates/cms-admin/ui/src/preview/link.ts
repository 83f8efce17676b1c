// The link by which the editor itself looks at an entry: one for as long as it is open in a tab, also when the page is loaded anew. It is listed and revoked
// like those that people make to share.

import { answer, api } from "~/api/client";
import { Cell } from "~/editor/model/cell";
import type { EntrySession } from "~/editor/model/session";
import type { Collection } from "~/editor/model/values";
import { previewOrigin } from "~/lib/site";

import { pathOf } from "./pathPattern";
import { fetchLinks } from "./queries";

export interface Link {
  id: string;
  /** The whole address, with the token. */
  url: string;
  expiresAt: string;
}

/** How long the editor's own link is good: a working day. */
const LIFETIME = "8h";
/** A link that ends sooner than this is not begun with, in milliseconds. */
const LEAST = 60_000;

/** Makes a link to an entry, on the site if the server knows where that is. */
export async function makeLink({ slug, urlPattern }: Pick<Collection, "slug" | "urlPattern">, id: string, expiresIn: string | number): Promise<Link> {
  const pathPattern = urlPattern ? pathOf(urlPattern) : null;
  const made = await answer(api.POST("/content/{collection}/{id}/preview-url", { params: { path: { collection: slug, id } }, body: { expiresIn, pathPattern } }));
  return { id: made.id, url: new URL(made.url, previewOrigin || location.origin).href, expiresAt: made.expiresAt };
}

export class OwnLink {
  /** The one that is in use, or was before the page was loaded anew; none when it was revoked. */
  readonly link: Cell<Link | undefined>;
  #asking: Promise<Link> | undefined;
  readonly #session: EntrySession;

  constructor(session: EntrySession) {
    this.#session = session;
    this.link = new Cell(this.#kept());
  }

  /** A link that is good. Whoever asks at the same time gets the same one. */
  get(): Promise<Link> {
    this.#asking ??= this.#find().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** Some links were revoked; all of them where none is named. */
  revoked(id?: string): void {
    if (id === undefined || id === this.link.get()?.id) this.#keep(undefined);
  }

  async #find(): Promise<Link> {
    const { collection, store } = this.#session;
    const known = this.link.get();
    if (known && new Date(known.expiresAt).getTime() - Date.now() > LEAST) {
      // Somebody may have revoked it.
      const links = await fetchLinks({ collection: collection.slug, id: store.id });
      if (links.some(({ id }) => id === known.id)) return known;
    }
    const made = await makeLink(collection, store.id, LIFETIME);
    this.#keep(made);
    return made;
  }

  get #name(): string {
    return `cms-preview ${this.#session.author} ${this.#session.store.id}`;
  }

  #kept(): Link | undefined {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(this.#name) ?? "null");
      return isLink(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  #keep(link: Link | undefined): void {
    this.link.set(link);
    try {
      if (link) sessionStorage.setItem(this.#name, JSON.stringify(link));
      else sessionStorage.removeItem(this.#name);
    } catch {
      // It is then known as long as the page is open.
    }
  }
}

function isLink(kept: unknown): kept is Link {
  if (typeof kept !== "object" || kept === null) return false;
  const { id, url, expiresAt } = kept as Record<string, unknown>;
  // One that was made before the site moved leads elsewhere.
  return typeof id === "string" && typeof expiresAt === "string" && typeof url === "string" && URL.canParse(url) && new URL(url).origin === (previewOrigin || location.origin);
}

const links = new WeakMap<EntrySession, OwnLink>();

export function ownLinkOf(session: EntrySession): OwnLink {
  const own = links.get(session) ?? new OwnLink(session);
  links.set(session, own);
  return own;
}
