import { expect, it } from "vitest";

import { mayOf } from "./rights";

const mine = { authorId: "me" };
const others = { authorId: "other" };

it("lets contributors upload, authors change their own, and editors change all and sort", () => {
  const subscriber = mayOf("me", ["media:read"]);
  expect([subscriber.upload, subscriber.editSome, subscriber.sort, subscriber.edit(mine), subscriber.seeUsage]).toEqual([false, false, false, false, false]);
  const contributor = mayOf("me", ["media:read", "media:upload"]);
  expect([contributor.upload, contributor.edit(mine)]).toEqual([true, false]);
  const author = mayOf("me", ["media:upload", "media:edit_own", "media:delete_own"]);
  expect([author.edit(mine), author.edit(others), author.remove(mine), author.remove(others), author.sort]).toEqual([true, false, true, false, false]);
  const editor = mayOf("me", ["media:edit_own", "media:edit_any", "media:delete_any"]);
  expect([editor.edit(others), editor.remove(others), editor.sort, editor.edit({ authorId: null })]).toEqual([true, true, true, true]);
});
