import { expect, it } from "vitest";
import { page } from "vitest/browser";

import { show } from "~/testing/render";

import { DiffView } from "./DiffView";

it("says in words what was inserted and deleted", async () => {
  await show(<DiffView before="a red house" after="a blue house" />);
  expect(document.querySelector("del")?.textContent).toBe("Deleted: red End of deletion.");
  expect(document.querySelector("ins")?.textContent).toBe("Inserted: blue End of insertion.");
});

it.each([
  ["lists", ["a", "b"], ["b", "c"]],
  ["JSON", { a: 1 }, { a: 2 }],
  ["a value that appeared", undefined, { a: 1 }],
  ["values of different kinds", "text", 5],
])("compares %s", async (_, before, after) => {
  await show(<DiffView before={before} after={after} />);
  expect(document.querySelector("ins")).not.toBeNull();
});

it("says that nothing differs", async () => {
  await show(<DiffView before={["a"]} after={["a"]} />);
  await expect.element(page.getByText("No differences.")).toBeVisible();
});
