import { expect, it } from "vitest";

import { isElsewhere } from "./elsewhere";

const block = (_key: string, text: string) => ({ _type: "block", _key, children: [{ _type: "span", text }] });
const conflict = (mine: unknown, theirs: unknown) => ({ path: ["body", "a"], mine, theirs });
const base = { body: [block("a", "Weavers worked here for centuries"), block("b", "Another block of centuries")] };

it("what others moved into a block of its own is elsewhere", () => {
  const theirs = { body: [block("a", "Weavers worked"), block("c", "here for centuries, looms too"), base.body[1]] };
  expect(isElsewhere(conflict(block("a", "Weavers worked here for looms"), theirs.body[0]), { base, theirs })).toBe(true);
});

it("a version that was put beside the other one is elsewhere", () => {
  const theirs = { body: [block("a", "Theirs"), block("a+", "Mine alone"), base.body[1]] };
  expect(isElsewhere(conflict(block("a", "Mine alone"), theirs.body[0]), { base, theirs })).toBe(true);
});

it("what was removed, or stands elsewhere as it always did, is not", () => {
  const theirs = { body: [block("a", "Weavers"), base.body[1]] };
  expect(isElsewhere(conflict(block("a", "Weavers worked here for centuries"), theirs.body[0]), { base, theirs })).toBe(false);
  expect(isElsewhere(conflict(undefined, theirs.body[0]), { base, theirs })).toBe(false);
});
