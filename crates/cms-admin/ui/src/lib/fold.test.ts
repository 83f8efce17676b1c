import { expect, it } from "vitest";

import { fold } from "./fold";

it("takes accents, case and letters of some languages for what people type instead", () => {
  expect(fold("Éléments")).toBe("elements");
  expect(fold("GRÖSSE Größe")).toBe("grosse grosse");
  expect(fold("Sœur Łódź ørsted İstanbul ılık")).toBe("soeur lodz orsted istanbul ilik");
  expect(fold("أُضِيفَ")).toBe("اضيف");
  expect(fold("ﬁn")).toBe("fin");
});
