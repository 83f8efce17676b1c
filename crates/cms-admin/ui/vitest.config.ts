// Tests of what needs no page: `npm test`.

import { defineConfig } from "vitest/config";

import { linguiMacros } from "./scripts/lingui";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  plugins: [linguiMacros()],
  // Properties are tried on hundreds of values, on a machine that may be busy.
  test: { include: ["src/**/*.test.ts"], testTimeout: 120_000 },
});
