import { expect, it } from "vitest";

import { kindOf, mediaSearch, questionOf } from "./question";

it("asks the server for what the address says", () => {
  const search = mediaSearch({ q: "lighthouse", folder: "unfiled", filter: "kind.is.document*tag.is.sea*size.between.1.2%2e5*alt.is.missing*usage.is.unused", view: "list", other: "x" });
  expect(search).not.toHaveProperty("other");
  expect(questionOf(search)).toEqual({ q: "lighthouse", folderId: "unfiled", mimeType: "application/,text/", tag: "sea", minSize: 1_000_000, maxSize: 2_500_000, withoutAlt: true, unused: true });
});

it("takes days as whole days of whoever looks", () => {
  const begins = (day: number) => new Date(2026, 10, day).toISOString();
  expect(questionOf({ filter: "createdAt.is.2026-11-20" })).toEqual({ createdFrom: begins(20), createdBefore: begins(21) });
  expect(questionOf({ filter: "createdAt.between.2026-11-01.2026-11-20" })).toEqual({ createdFrom: begins(1), createdBefore: begins(21) });
  expect(questionOf({ filter: "createdAt.atLeast.2026-11-20" })).toEqual({ createdFrom: begins(20) });
  expect(questionOf({ filter: "createdAt.atMost.2026-11-20" })).toEqual({ createdBefore: begins(21) });
});

it("asks nothing for what no filter of the library is", () => {
  for (const filter of ["kind.is.toString", "kind.is.poem", "size.atLeast.many", "size.atLeast.-1", "createdAt.is.yesterday", "colour.is.red", "tag.is."]) expect(questionOf({ filter })).toEqual({});
});

it("knows every media type as one of four kinds", () => {
  expect(["image/png", "video/mp4", "audio/ogg", "application/pdf", ""].map(kindOf)).toEqual(["image", "video", "audio", "document", "document"]);
});
