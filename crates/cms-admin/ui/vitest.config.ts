// Tests of parts of the application: `npm test` runs those that need no page, `npm run test:browser` those in Chromium.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import tailwindcss from "@tailwindcss/vite";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

import { linguiMacros } from "./scripts/lingui";

/** Browsers, the one first that has no windows around its pages and takes half of what the others take. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The browser on the path. `CMS_TEST_CHROMIUM` names another one. */
function chromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return process.env.CMS_TEST_CHROMIUM ?? paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Chromium does not run its sandbox as root.
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const shared = { resolve: { tsconfigPaths: true }, plugins: [linguiMacros()] };
// Properties are tried on hundreds of values, on a machine that may be busy.
const testTimeout = 120_000;

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { name: "plain", include: ["src/**/*.test.ts"], exclude: ["src/**/*.browser.test.*"], testTimeout } },
      {
        ...shared,
        plugins: [...shared.plugins, tailwindcss()],
        // All at once: what is found while a test runs reloads its page.
        optimizeDeps: {
          include: [
            "react", "react-dom", "react-dom/client", "react/jsx-runtime", "@lingui/core", "@lingui/react", "@tanstack/react-query", "@tanstack/react-router", "@tanstack/react-table", "@floating-ui/react-dom", "lucide-react",
            "openapi-fetch", "radix-ui", "lowlight", "prosemirror-highlight", "prosemirror-highlight/lowlight", "prosemirror-commands", "prosemirror-dropcursor", "prosemirror-gapcursor", "prosemirror-history",
            "prosemirror-inputrules", "prosemirror-keymap", "prosemirror-model", "prosemirror-search", "prosemirror-state", "prosemirror-tables", "prosemirror-transform", "prosemirror-view",
            "@portabletext/html", "@portabletext/html/rules", "@portabletext/markdown", "@portabletext/schema", "@portabletext/to-html",
          ],
        },
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          testTimeout,
          // A page that is loaded while the machine is busy may miss a moment. What passes at the second attempt is told.
          retry: 1,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: chromium(), args } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
