// Which languages there are and where their texts live. Those of some parts come with them: no list waits for them.

import type { LinguiConfig } from "@lingui/conf";

/** The parts that bring texts of their own along, each with the folders whose texts they are. */
const PARTS: Record<string, string[]> = {
  editor: ["src/editor", "src/richtext", "src/editing", "src/media/picker"],
  modelling: ["src/modelling"],
  dashboard: ["src/dashboard"],
  "shell/palette": ["src/shell/palette"],
  preview: ["src/preview"],
  planning: ["src/planning"],
  explorer: ["src/explorer"],
  media: ["src/media/library", "src/media/upload"],
};

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "**/locales/**", ...Object.values(PARTS).flat().map((folder) => `${folder}/**`)] },
    ...Object.entries(PARTS).map(([part, include]) => ({ path: `src/${part}/locales/{locale}`, include, exclude: ["**/locales/**"] })),
  ],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
