// What is done to an entry as a whole. All of it takes exactly what is on the screen, by its revision.

import { answer, api } from "~/api/client";
import { ownLinkOf } from "~/preview/link";

import type { EntrySession } from "./session";
import type { Item } from "./values";

export interface Actions {
  publish: () => Promise<boolean>;
  unpublish: () => Promise<boolean>;
  schedule: (at: string) => Promise<boolean>;
  unschedule: () => Promise<boolean>;
  /** Off the public site at an instant, or never. */
  end: (at: string | null) => Promise<boolean>;
  discard: () => Promise<boolean>;
  restore: (revision: string) => Promise<boolean>;
  give: (authorId: string) => Promise<boolean>;
  /** Nothing where something must be done first. */
  duplicate: () => Promise<Item | undefined>;
  /** Into the trash. Answers with the revision by which it can be taken out again. */
  remove: () => Promise<string | undefined>;
  takeBack: (rev: string | undefined) => Promise<unknown>;
  /** A link to the working copy: the editor's own. */
  preview: () => Promise<string | undefined>;
}

export function actionsOf(session: EntrySession): Actions {
  const collection = session.collection.slug;
  // Whoever holds the lease is asked first: by taking it over.
  const overrideLock = false;
  const path = (id: string) => ({ path: { collection, id } });
  const here = () => path(session.store.id);
  return {
    publish: () => session.act((id, _rev) => answer(api.POST("/content/{collection}/{id}/publish", { params: path(id), body: { _rev, overrideLock } }))),
    unpublish: () => session.act((id, _rev) => answer(api.POST("/content/{collection}/{id}/unpublish", { params: path(id), body: { _rev, overrideLock } }))),
    schedule: (scheduledAt) => session.act((id, _rev) => answer(api.POST("/content/{collection}/{id}/schedule", { params: path(id), body: { scheduledAt, _rev, overrideLock } }))),
    unschedule: () => session.act((id, _rev) => answer(api.DELETE("/content/{collection}/{id}/schedule", { params: { ...path(id), query: { _rev, overrideLock } } }))),
    end: (unpublishAt) => session.act((id, _rev) => answer(api.PUT("/content/{collection}/{id}/unpublish-at", { params: path(id), body: { unpublishAt, _rev, overrideLock } }))),
    discard: () => session.act((id, _rev) => answer(api.POST("/content/{collection}/{id}/discard-draft", { params: path(id), body: { _rev, overrideLock } }))),
    restore: (revisionId) => session.act((_, _rev) => answer(api.POST("/revisions/{revisionId}/restore", { params: { path: { revisionId } }, body: { _rev, overrideLock } }))),
    give: (authorId) => session.act((id, _rev) => answer(api.PUT("/content/{collection}/{id}", { params: path(id), body: { authorId, _rev, overrideLock, skipRevision: true } }))),
    async duplicate() {
      if (!(await session.save())) return undefined;
      const { item } = await answer(api.POST("/content/{collection}/{id}/duplicate", { params: here() }));
      return item;
    },
    async remove() {
      await session.draft.flush();
      const { _rev } = await answer(api.DELETE("/content/{collection}/{id}", { params: { ...here(), query: { _rev: session.draft.rev, overrideLock } } }));
      return _rev ?? undefined;
    },
    takeBack: (_rev) => answer(api.POST("/content/{collection}/{id}/restore", { params: here(), body: { _rev, overrideLock } })),
    async preview() {
      if (!(await session.save())) return undefined;
      const { url } = await ownLinkOf(session).get();
      return url;
    },
  };
}
