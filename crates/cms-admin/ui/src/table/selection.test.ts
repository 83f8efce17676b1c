import { expect, it } from "vitest";

import { added, isSelected, toggled, type Selection } from "./selection";

const none: Selection<string> = { kind: "these", rows: new Map() };
const all: Selection<string> = { kind: "all", total: 10, except: new Map() };

it("a row is selected, and is not after it was toggled again", () => {
  const once = toggled(none, "a", "row");
  expect([isSelected(once, "a"), isSelected(once, "b"), isSelected(toggled(once, "a", "row"), "a")]).toEqual([true, false, false]);
});

it("of all that match, those that were taken out are not selected", () => {
  const most = toggled(all, "a", "row");
  expect([isSelected(most, "a"), isSelected(most, "b")]).toEqual([false, true]);
  expect(isSelected(added(most, [["a", "row"]]), "a")).toBe(true);
});

it("rows are added beside those that are selected", () => {
  const some = added(toggled(none, "a", "row"), [["b", "row"], ["c", "row"]]);
  expect(["a", "b", "c", "d"].filter((id) => isSelected(some, id))).toEqual(["a", "b", "c"]);
});

it("changes leave the selection before them as it was", () => {
  toggled(none, "a", "row");
  toggled(all, "a", "row");
  expect([isSelected(none, "a"), isSelected(all, "a")]).toEqual([false, true]);
});
