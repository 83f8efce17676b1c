// Which languages there are and where their texts live. Those of the editor come with it: no list waits for them.

import type { LinguiConfig } from "@lingui/conf";

const EDITOR = ["src/editor", "src/richtext", "src/editing"];

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "**/locales/**", ...EDITOR.map((folder) => `${folder}/**`)] },
    { path: "src/editor/locales/{locale}", include: EDITOR, exclude: ["**/locales/**"] },
  ],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
