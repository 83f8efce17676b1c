// Fails when a text is not in the catalogs, or lacks a translation that it must have.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** The languages that every text is translated into: half a translation is worse than none. */
const TRANSLATED = ["de", "fr", "es", "ar"];

const FOLDERS = ["src/locales", "src/editor/locales", "src/modelling/locales", "src/dashboard/locales", "src/shell/palette/locales", "src/preview/locales", "src/planning/locales", "src/explorer/locales"];
const catalogs = FOLDERS.flatMap((folder) => ["en", ...TRANSLATED].map((language) => ({ language, path: `${folder}/${language}.po` })));
const read = ({ path }) => readFileSync(path, "utf8");
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

const committed = new Map(catalogs.map((catalog) => [catalog, read(catalog)]));
execFileSync("npx", ["lingui", "extract", "--clean"], { stdio: ["ignore", "ignore", "inherit"] });
const withoutDate = (text) => text.replace(/^"POT-Creation-Date.*\n/m, "");
const problems = catalogs.filter((catalog) => withoutDate(read(catalog)) !== withoutDate(committed.get(catalog))).map(({ path }) => `${path} is stale: run \`npm run extract\``);
for (const [{ path }, text] of committed) writeFileSync(path, text);

for (const [{ language, path }, text] of committed) {
  if (!TRANSLATED.includes(language)) continue;
  for (const entry of entries(text)) {
    if (!entry.text) problems.push(`${path}: no translation of “${entry.id}” (${entry.origins.join(", ")})`);
  }
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
