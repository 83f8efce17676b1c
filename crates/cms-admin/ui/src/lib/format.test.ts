import { expect, it } from "vitest";

import { sizeText } from "./format";

it("sizes are said in the reader’s language, the small ones in words", () => {
  const said = (locale: string) => [1, 36, 1_500, 12_345_678, 5e12].map((count) => sizeText(locale, count).replaceAll(/[\u00a0\u202f]/g, " "));
  expect(said("en-GB")).toEqual(["1 byte", "36 bytes", "1.5 kB", "12.3 MB", "5,000 GB"]);
  expect(said("de-DE")).toEqual(["1 Byte", "36 Byte", "1,5 kB", "12,3 MB", "5.000 GB"]);
  expect(said("fr-FR")).toEqual(["1 octet", "36 octets", "1,5 ko", "12,3 Mo", "5 000 Go"]);
  expect(said("es-ES")).toEqual(["1 byte", "36 bytes", "1,5 kB", "12,3 MB", "5000 GB"]);
});

it("what rounds to a thousand is one of the next unit", () => {
  expect([999, 999_949, 999_950, 999_999_999].map((count) => sizeText("en-GB", count))).toEqual(["999 bytes", "999.9 kB", "1 MB", "1 GB"]);
});
