// An entry that is open, over a server that a test makes up.

import { vi } from "vitest";

import { me } from "~/session/session";
import { freshQueries, show } from "~/testing/render";

import { Editor } from "../Editor";
import { SessionContext } from "../model/context";
import { EntrySession } from "../model/session";
import type { Collection, Field, Item } from "../model/values";

/** Whoever writes. */
export const ME = "me";

export const TITLE = { id: "f1", slug: "title", type: "string", label: "Title", required: true, validation: null, options: null, defaultValue: null } as unknown as Field;
export const SUMMARY = { ...TITLE, id: "f2", slug: "summary", type: "text", label: "Summary", required: false } as Field;

type Refusal = { status: number; code: string; details?: object } | undefined;

/** A server with one entry. */
export class Server {
  item: Item;
  rev = 1;
  /** Where the entry is. */
  place: "there" | "trash" | "nowhere" = "there";
  /** What is refused, and how. */
  refusal: (method: string, path: string, body: Record<string, unknown>) => Refusal = () => undefined;
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  /** What answers to saves wait for once they are done. */
  late: Promise<void> | undefined;

  constructor(data: Record<string, unknown>, more: Partial<Item> = {}) {
    const dates = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z", publishedAt: null };
    // No two tests have the same entry: what a browser kept of one is no other's.
    const id = crypto.randomUUID();
    this.item = { id, type: "notes", slug: "looms", status: "draft", data, authorId: ME, ...dates, liveRevisionId: null, locale: "en", translationGroup: "g", version: 1, ...more };
    vi.spyOn(globalThis, "fetch").mockImplementation((request) => this.#answer(request as Request));
  }

  get answer() {
    return { item: structuredClone(this.item), _rev: String(this.rev) };
  }

  /** Somebody else's change. */
  change(data: Record<string, unknown>, more: Partial<Item> = {}): void {
    this.rev += 1;
    const all = Object.entries({ ...this.item.data, ...data }).filter(([, value]) => value !== null);
    this.item = { ...this.item, ...more, data: Object.fromEntries(all), version: this.rev };
  }

  async #answer(request: Request): Promise<Response> {
    const { method, url } = request;
    const path = new URL(url).pathname.replace(/^.*\/content\/notes/, "");
    const body = method === "GET" ? {} : ((await request.clone().json().catch(() => ({}))) as Record<string, unknown>);
    if (method !== "GET") this.sent.push({ method, path, body });
    const refusal = this.refusal(method, path, body);
    if (refusal) return fails(refusal);
    if (path === "/trash") return answers({ items: this.place === "trash" ? [{ ...this.item, deletedAt: "2026-01-02T00:00:00Z", _rev: String(this.rev) }] : [] });
    if (path === `/${this.item.id}/restore`) {
      if (this.place !== "trash") return fails({ status: 404, code: "NOT_FOUND" });
      this.place = "there";
      this.change({});
    }
    if (path.startsWith(`/${this.item.id}`) && this.place !== "there") return fails({ status: 404, code: "NOT_FOUND" });
    if (method === "PUT") {
      if (body._rev !== String(this.rev)) return fails({ status: 409, code: "CONFLICT" });
      this.change((body.data ?? {}) as Record<string, unknown>, "publishedAt" in body ? { publishedAt: body.publishedAt as string } : {});
    }
    const { answer } = this;
    if (method === "PUT") await this.late;
    if (path.startsWith(`/${this.item.id}`)) return answers(answer);
    return answers({ items: [] });
  }
}

function answers(data: object): Response {
  return new Response(JSON.stringify({ data }), { headers: { "content-type": "application/json" } });
}

function fails({ status, code, details = {} }: NonNullable<Refusal>): Response {
  return new Response(JSON.stringify({ error: { code, message: code, details } }), { status, headers: { "content-type": "application/json" } });
}

/** The entry that a server has, open in this tab. */
export function opened(server: Server, fields: Field[] = [TITLE, SUMMARY]): EntrySession {
  const collection = { id: "c", slug: "notes", label: "Notes", labelSingular: "Note", supports: ["drafts"], hasSeo: false, routable: false, editLocking: false, titleField: "title" } as unknown as Collection;
  return EntrySession.of(server.answer, { collection, fields, author: ME });
}

/** Shows the editor of an open entry to somebody with some permissions. */
export async function showEditor(session: EntrySession, permissions: string[] = ["content:edit_any", "content:publish_any"]) {
  const queries = freshQueries();
  queries.setQueryData(me.queryKey, { id: ME, name: "Ada", permissions } as never);
  queries.setQueryData(["site"], { locales: ["en"], timeZone: "Europe/Berlin" });
  return show(
    <SessionContext value={session}>
      <Editor field={undefined} tab={undefined} beside={undefined} preview={undefined} />
    </SessionContext>,
    { queries },
  );
}
