import { expect, it } from "vitest";

import { typedTags, withoutTags, withTags } from "./tags";

it("takes tags that differ only in case or width for one, and keeps the first as it is written", () => {
  expect(withTags(["Sea"], ["sea", "ＳＥＡ", "Harbour", "harbour"])).toEqual(["Sea", "Harbour"]);
  expect(withoutTags(["Sea", "Harbour"], ["SEA"])).toEqual(["Harbour"]);
});

it("reads what is typed with commas, and leaves out what is empty", () => {
  expect(typedTags(" sea ,, old   town,")).toEqual(["sea", "old town"]);
});
