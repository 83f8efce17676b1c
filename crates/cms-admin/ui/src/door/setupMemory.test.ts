import { expect, test } from "vitest";

import { forget, recall, remember } from "./setupMemory";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("what was typed is there again, part by part, until the setup is over", () => {
  const tab = storage();
  remember({ site: { title: "Example", tagline: "", includeContent: false } }, tab);
  remember({ account: { email: "ada@example.org", name: "" }, isAtPasskey: true }, tab);
  expect(recall(tab)).toEqual({
    site: { title: "Example", tagline: "", includeContent: false },
    account: { email: "ada@example.org", name: "" },
    isAtPasskey: true,
  });
  forget(tab);
  expect(recall(tab).site).toEqual({ title: "", tagline: "", includeContent: true });
});

test("a tab that keeps nothing, or something else, begins anew", () => {
  expect(recall({ getItem: () => "[" }).account).toEqual({ email: "", name: "" });
  expect(recall({ getItem: () => { throw new Error("denied"); } }).isAtPasskey).toBe(false);
});
