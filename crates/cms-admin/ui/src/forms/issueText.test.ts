import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { i18n } from "@lingui/core";
import { expect, it } from "vitest";

import { ISSUE_TEXTS, issueText } from "./issueText";

const CRATES = "../..";

/** Every code that the server's sources give a problem, where they are written as they are sent. */
function codes(): Set<string> {
  const files = readdirSync(CRATES, { recursive: true, encoding: "utf8" }).filter((path) => /^[^/]+\/src\/.*\.rs$/.test(path) && !/tests?(\/|\.rs)/.test(path));
  return new Set(
    files.flatMap((path) => {
      const [source = ""] = readFileSync(join(CRATES, path), "utf8").split("#[cfg(test)]");
      return [...source.matchAll(/(?:Issue::new|Error::issue|\.report|\brefuse|\bissue)\((?:[^()"]|"[^"]*"|\([^()]*\))*?"([A-Z][A-Z_]{3,})"/g)].map(([, code]) => code ?? "");
    }),
  );
}

it("has a text for every code of the server", () => {
  const found = codes();
  expect(found.size).toBeGreaterThan(30);
  expect([...found].filter((code) => !(code in ISSUE_TEXTS))).toEqual([]);
});

it("says what it does not know in the server's words, as a sentence", () => {
  i18n.loadAndActivate({ locale: "en", messages: {} });
  expect(issueText({ code: "TOO_LONG", message: "has more than 5 characters" })).toBe("This is too long.");
  expect(issueText({ code: "NEWER_THAN_THIS", message: "is odd" })).toBe("Is odd.");
});
