// Fails when a text is not in the catalogs, or lacks a translation that it must have.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** The languages that every text is translated into: half a translation is worse than none. */
const TRANSLATED = ["de", "fr", "es", "ar"];

const languages = ["en", ...TRANSLATED];
const read = (language) => readFileSync(`src/locales/${language}.po`, "utf8");
const entries = (text) =>
  text
    .split(/\n\n+/)
    .map((block) => ({
      origins: [...block.matchAll(/^#: (.+)$/gm)].map((match) => match[1]),
      id: value(block, "msgid"),
      text: value(block, "msgstr"),
      isGone: /^#~ /m.test(block),
    }))
    .filter((entry) => entry.id && !entry.isGone);

function value(block, key) {
  const match = block.match(new RegExp(`^${key} ((?:".*"\\n?)+)`, "m"));
  return match ? match[1].split("\n").map((line) => line.trim().slice(1, -1)).join("") : "";
}

const committed = Object.fromEntries(languages.map((language) => [language, read(language)]));
execFileSync("npx", ["lingui", "extract", "--clean"], { stdio: ["ignore", "ignore", "inherit"] });
const withoutDate = (text) => text.replace(/^"POT-Creation-Date.*\n/m, "");
const problems = languages.filter((language) => withoutDate(read(language)) !== withoutDate(committed[language])).map((language) => `src/locales/${language}.po is stale: run \`npm run extract\``);
for (const language of languages) writeFileSync(`src/locales/${language}.po`, committed[language]);

for (const language of TRANSLATED) {
  for (const entry of entries(committed[language])) {
    if (!entry.text) problems.push(`${language}: no translation of “${entry.id}” (${entry.origins.join(", ")})`);
  }
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
