// Which languages there are and where their texts live.

import type { LinguiConfig } from "@lingui/conf";

/** Where texts are that are fetched with the editor: a quarter of all, which nobody waits for in front of a list. */
const EDITOR = ["src/editor", "src/richtext", "src/editing"];

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "src/locales/**", ...EDITOR.map((folder) => `${folder}/**`)] },
    { path: "src/locales/editor/{locale}", include: EDITOR },
  ],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
