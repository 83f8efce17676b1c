// Which languages there are and where their texts live.

import type { LinguiConfig } from "@lingui/conf";

const config: LinguiConfig = {
  locales: ["en", "de", "fr", "es", "ar"],
  sourceLocale: "en",
  fallbackLocales: { default: "en" },
  catalogs: [{ path: "src/locales/{locale}", include: ["src"], exclude: ["src/**/*.gen.ts", "src/locales/**"] }],
  format: "po",
  formatOptions: { lineNumbers: false },
  orderBy: "message",
};

export default config;
