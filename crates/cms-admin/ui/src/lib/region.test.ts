import { expect, it } from "vitest";

import { inRegion, REGIONS, regionOf } from "./region";

const date = (locale: string) => new Intl.DateTimeFormat(locale).format(new Date(2026, 10, 25));

it("writes British dates in a British browser", () => {
  expect(date(inRegion("en", regionOf(["en-GB", "en"])))).toBe("25/11/2026");
  expect(date(inRegion("en", regionOf(["en-US"])))).toBe("11/25/2026");
});

it("takes the region of another language when the first has none", () => {
  expect(regionOf(["en", "de-CH"])).toBe("CH");
  expect(regionOf(["en", "x-nonsense!", "de"])).toBeUndefined();
});

it("writes every language in every region", () => {
  for (const language of ["en", "de", "ar", "fr", "es"]) for (const region of REGIONS) expect(date(inRegion(language, region))).toMatch(/^[\p{Nd}\p{P}\p{Z}\u200f]+$/u);
});
