// Which languages there are and where their texts live. Those of the editor, of the content model and of the explorer come with them: no list waits for them.

import type { LinguiConfig } from "@lingui/conf";

const EDITOR = ["src/editor", "src/richtext", "src/editing"];
const MODELLING = ["src/modelling"];
const EXPLORER = ["src/explorer"];

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "**/locales/**", ...[...EDITOR, ...MODELLING, ...EXPLORER].map((folder) => `${folder}/**`)] },
    { path: "src/editor/locales/{locale}", include: EDITOR, exclude: ["**/locales/**"] },
    { path: "src/modelling/locales/{locale}", include: MODELLING, exclude: ["**/locales/**"] },
    { path: "src/explorer/locales/{locale}", include: EXPLORER, exclude: ["**/locales/**"] },
  ],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
