import { expect, it } from "vitest";

import { changesOf, mergedOf, type Values } from "./values";

const base: Values = { filename: "a.png", alt: "", caption: "", folderId: "", tags: ["sea"], focalPoint: null, translations: { de: { alt: "", caption: "" } } };

it("sends what was changed alone, and null for what was emptied", () => {
  expect(changesOf(base, base)).toEqual({});
  expect(changesOf({ ...base, alt: "A lighthouse" }, { ...base, alt: " ", folderId: "f", translations: { de: { alt: "Ein Leuchtturm", caption: "" } } })).toEqual({
    alt: null,
    folderId: "f",
    translations: { de: { alt: "Ein Leuchtturm", caption: null } },
  });
  expect(changesOf({ ...base, translations: { de: { alt: "Turm", caption: "" } } }, base)).toEqual({ translations: { de: null } });
});

it("puts together what two people changed in different places, and disputes nothing", () => {
  const { values, disputed } = mergedOf(base, { ...base, alt: "mine" }, { ...base, caption: "theirs", translations: { de: { alt: "dort", caption: "" } } });
  expect(values).toEqual({ ...base, alt: "mine", caption: "theirs", translations: { de: { alt: "dort", caption: "" } } });
  expect(disputed).toEqual([]);
});

it("keeps what was typed where both changed the same, and says so", () => {
  const mine = { ...base, alt: "mine", translations: { de: { alt: "meins", caption: "" } } };
  const { values, disputed } = mergedOf(base, mine, { ...base, alt: "theirs", translations: { de: { alt: "ihres", caption: "" } } });
  expect(values).toEqual(mine);
  expect(disputed).toEqual(["alt", "translations.de.alt"]);
});
