// Which languages there are and where their texts live. Those of the editor, of the content model and of planning come with them: no list waits for them.

import type { LinguiConfig } from "@lingui/conf";

const EDITOR = ["src/editor", "src/richtext", "src/editing"];
const MODELLING = ["src/modelling"];
const PLANNING = ["src/planning"];

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "**/locales/**", ...[...EDITOR, ...MODELLING, ...PLANNING].map((folder) => `${folder}/**`)] },
    { path: "src/editor/locales/{locale}", include: EDITOR, exclude: ["**/locales/**"] },
    { path: "src/modelling/locales/{locale}", include: MODELLING, exclude: ["**/locales/**"] },
    { path: "src/planning/locales/{locale}", include: PLANNING, exclude: ["**/locales/**"] },
  ],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
