import { expect, it } from "vitest";

import { cx } from "./cx";

it("lets the later one hold of two names that say the same", () => {
  expect(cx("p-2 text-sm", "p-4")).toBe("text-sm p-4");
  expect(cx("text-md text-muted", "text-base text-bad")).toBe("text-base text-bad");
  expect(cx("max-w-control", "max-w-none")).toBe("max-w-none");
  expect(cx("shadow-low", "shadow-high")).toBe("shadow-high");
  expect(cx("size-8", "size-16 text-xl")).toBe("size-16 text-xl");
});

it("leaves out what is not there", () => {
  expect(cx("a", false, undefined, null, "", "b")).toBe("a b");
});
