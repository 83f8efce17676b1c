import { expect, it } from "vitest";

import type { Entry, Permission } from "~/api/types";

import { mayOf } from "./rights";

const CONTRIBUTOR: Permission[] = ["content:read", "content:read_drafts", "content:create", "content:edit_own_draft"];
const AUTHOR: Permission[] = [...CONTRIBUTOR, "content:edit_own", "content:delete_own", "content:publish_own"];
const EDITOR: Permission[] = [...AUTHOR, "content:edit_any", "content:delete_any", "content:publish_any"];
const ADMIN: Permission[] = [...EDITOR, "content:delete_permanent"];

const may = (permissions: Permission[]) => mayOf("me", (permission) => permissions.includes(permission));
const entry = (authorId: string | null, status: Entry["status"], publishedAt: string | null = null) => ({ authorId, status, publishedAt });
const OWN_DRAFT = entry("me", "draft");
const OWN = [entry("me", "published", "2026-01-01T00:00:00Z"), entry("me", "scheduled"), entry("me", "draft", "2026-01-01T00:00:00Z")];
const OTHERS = [entry("you", "draft"), entry(null, "draft")];

it("a contributor edits their own drafts as long as nobody has approved of them, and publishes nothing", () => {
  const { create, edit, publish, trash, restore, duplicate, translate, publishSome, trashSome } = may(CONTRIBUTOR);
  expect([create, edit(OWN_DRAFT), restore(OWN_DRAFT), duplicate(OWN_DRAFT), translate(OWN_DRAFT)]).toEqual([true, true, true, true, true]);
  expect([...OWN, ...OTHERS].some((entry) => edit(entry) || duplicate(entry) || translate(entry))).toBe(false);
  expect([OWN_DRAFT, ...OWN, ...OTHERS].some((entry) => publish(entry) || trash(entry)) || publishSome || trashSome).toBe(false);
});

it("an author does what is theirs, and nothing of others", () => {
  const { edit, publish, trash, select, selectAny, changeAuthor } = may(AUTHOR);
  const all = (entry: typeof OWN_DRAFT) => edit(entry) && publish(entry) && trash(entry) && select(entry);
  expect([OWN_DRAFT, ...OWN].every(all)).toBe(true);
  expect(OTHERS.some((entry) => edit(entry) || publish(entry) || trash(entry) || select(entry)) || selectAny || changeAuthor).toBe(false);
});

it("an editor does everything but delete for ever", () => {
  const { edit, publish, trash, select, selectAny, changeAuthor, deleteForEver } = may(EDITOR);
  expect([OWN_DRAFT, ...OWN, ...OTHERS].every((entry) => edit(entry) && publish(entry) && trash(entry) && select(entry)) && selectAny && changeAuthor).toBe(true);
  expect([deleteForEver, may(ADMIN).deleteForEver]).toEqual([false, true]);
});
