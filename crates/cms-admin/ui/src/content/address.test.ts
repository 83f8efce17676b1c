import { expect, it } from "vitest";

import type { Collection } from "~/api/types";

import { addressOf } from "./address";

it("gives the address that the collection's pattern has", () => {
  const collection = { routable: true, urlPattern: "/{locale}/notes/{slug}" } as Collection;
  expect(addressOf(collection, { id: "1", locale: "de", slug: "webstuhl" })).toBe("/de/notes/webstuhl");
  expect(addressOf({ ...collection, routable: false }, { id: "1", locale: "de", slug: "webstuhl" })).toBeUndefined();
});
