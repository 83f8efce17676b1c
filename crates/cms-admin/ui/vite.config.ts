// How the application is built: relative addresses, since the server decides where it lives, and compressed copies beside each file.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

import { licenses, workerLicenses } from "./scripts/licenses";
import { linguiMacros } from "./scripts/lingui";
import { weights } from "./scripts/weights";

/** A classic script that sets theme and direction before the first paint. It cannot be inline: the policy forbids that. */
function bootScript(): Plugin {
  let isBuild = false;
  return {
    name: "boot-script",
    configResolved(config) {
      isBuild = config.command === "build";
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: "asset", name: "boot.js", source: readFileSync("src/boot.js", "utf8") });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, context) {
        const files = Object.values(context.bundle ?? {});
        const built = files.find((file) => file.type === "asset" && file.names.includes("boot.js"));
        const catalogs = files.flatMap((file) => {
          const language = file.type === "chunk" && /\/src\/locales\/(\w+)\.ts$/.exec(file.facadeModuleId ?? "")?.[1];
          return language ? [`${language}=${file.fileName.replace("assets/", "")}`] : [];
        });
        return {
          html: html.replace('name="cms-catalogs" content=""', `name="cms-catalogs" content="${catalogs.join(" ")}"`),
          tags: [{ tag: "script", attrs: { src: built ? `./${built.fileName}` : "/src/boot.js" }, injectTo: "head-prepend" }],
        };
      },
    },
  };
}

/** The font file that most readers need, fetched together with the page. */
function fontPreload(): Plugin {
  return {
    name: "font-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, context) {
        const font = Object.keys(context.bundle ?? {}).find((name) => /inter-latin-wght.*\.woff2$/.test(name));
        return font
          ? [{ tag: "link", attrs: { rel: "preload", as: "font", type: "font/woff2", href: `./${font}`, crossorigin: true }, injectTo: "head" }]
          : [];
      },
    },
  };
}

/** Compressed once here instead of at each answer. Fonts are compressed already. */
function compressedCopies(): Plugin {
  return {
    name: "compressed-copies",
    apply: "build",
    closeBundle() {
      const folder = "dist/assets";
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** What only some texts need, and then in files of its own: Markdown, and colours in code. */
const SELDOM =
  /\/node_modules\/(markdown-it|@mdit|linkify-it|mdurl|uc\.micro|entities|punycode(\.js)?|@sanity\/diff-match-patch|@portabletext\/markdown|lowlight|highlight\.js|devlop)\/|\/prosemirror-highlight\/dist\/lowlight|\/src\/richtext\/(markdown|colours)\.ts/;

const server = process.env.CMS_DEV_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "./",
  resolve: { tsconfigPaths: true },
  plugins: [
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double" }),
    linguiMacros(),
    react(),
    tailwindcss(),
    bootScript(),
    fontPreload(),
    licenses(),
    compressedCopies(),
    weights(),
  ],
  worker: { plugins: () => [workerLicenses()] },
  build: {
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Few files: a request costs more than some kilobytes that a screen may not need.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A group takes what its files need along. So what everything needs comes first, and what only some screens need is left out of it.
            { name: "libraries", test: /\/node_modules\/(?!lucide-react\/dist\/esm\/icons\/|react-hook-form\/|@tanstack\/(react-table|table-core|react-virtual|virtual-core)\/|@atlaskit|prosemirror-|w3c-keyname|rope-sequence|orderedmap|@portabletext\/|@vercel\/stega|markdown-it|@mdit|linkify-it|mdurl|uc\.micro|entities|punycode|@sanity\/|lowlight|highlight\.js|devlop|@codemirror|@lezer|@marijn|crelt|style-mod|diff\/|idb\/|@internationalized|@react-types|@swc|react-aria|react-stately)/, priority: 6 },
            // What a route says of itself is a part of the router. Its screen, which the router's plugin names by a query, is not. What the dashboard and the
            // palette share with other screens is here, and so are the icons that they, the door or the editor share: whichever of them had one would have to be
            // fetched by the others.
            { name: "parts", test: /\/src\/((api|lib|session|shell)\/(?!Prove\.|palette\/)|components\/(?!(code|date|diff|image|panel|picker|sortable|tree|upload)\/)|content\/(SiteTime|collections|entries|icons|links|plan|site|status|titleField)\.|table\/State\.|(account|people)\/queries\.|jobs\/(useJobs|useName|words)\.)|\/src\/routes\/[^?]*$|\/lucide-react\/dist\/esm\/icons\/(arrow-left|arrow-right|calendar-clock|chevron-down|circle-x|file-plus|languages|list|plus|rotate-ccw|rotate-ccw-clock|send|server|unlink|user-plus)\./, priority: 5 },
            { name: "forms", test: /\/src\/forms\/|\/node_modules\/react-hook-form\//, priority: 4 },
            { name: "table", test: /\/src\/table\/(?!views\/ViewDialog|filters\/Searched)|\/node_modules\/@tanstack\/(react-table|table-core|react-virtual|virtual-core)\//, priority: 3 },
            { name: "content", test: /\/src\/content\/(?!(Author|Schedule)Dialog|LeftNew)|\/routes\/_shell\/content\.(index|\$collection\.(index|trash))/, priority: 3 },
            { name: "door", test: /\/src\/(door\/|routes\/_door\/|session\/Prove\.)/, priority: 3 },
            { name: "screens", test: /\/src\/(account|applications|audit|jobs|people|transfer|routes\/_shell\/(?!content\.\$collection\.\$id|index\.|model\.|board|calendar|developers\.|media))/, priority: 3 },
            { name: "dashboard", test: /\/src\/dashboard\/(?!locales|ArrangeDialog|OtherCollections)|\/routes\/_shell\/index\./, priority: 3 },
            { name: "modelling", test: /\/src\/modelling\/(?!locales|map\/|file\/|code\/)|\/routes\/_shell\/model\.(?!as-map|from-file)/, priority: 3 },
            // Of the content model, the preview and others: none has to bring the other along.
            { name: "panel", test: /\/src\/components\/panel\//, priority: 4 },
            { name: "planning", test: /\/src\/planning\/(?!locales)|\/routes\/_shell\/(board|calendar)/, priority: 3 },
            { name: "media", test: /\/src\/media\/(?!locales|picker)|\/routes\/_shell\/media/, priority: 3 },
            { name: "explorer", test: /\/src\/explorer\/(?!locales|snippets)|\/routes\/_shell\/developers\./, priority: 3 },
            { name: "dialogs", test: /\/src\/(table\/(views\/ViewDialog|filters\/Searched)|content\/(Author|Schedule)Dialog|components\/picker\/)/, priority: 2 },
            { name: "palette", test: /\/src\/shell\/palette\/(?!locales)/, priority: 2 },
            { name: "code", test: /\/src\/components\/code\/|\/node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod)/, priority: 2 },
            { name: "dates", test: /\/src\/components\/date\/|\/node_modules\/(@internationalized|@react-types|@swc|react-aria|react-stately)/, priority: 2 },
            { name: "editor", test: /\/src\/(editor(?!\/locales)|editing|components\/(image|upload)|media\/picker(?!\/MediaPicker))\/|\/routes\/_shell\/content\.\$collection\.\$id|\/node_modules\/idb\//, priority: 1 },
            { name: "preview", test: /\/src\/preview\/(?!locales)/, priority: 0 },
            { name: "richtext", test: (id) => /\/node_modules\/(prosemirror-|w3c-keyname|rope-sequence|orderedmap|@portabletext\/|@vercel\/stega)|\/src\/richtext\//.test(id) && !SELDOM.test(id), priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "^/_cms/(api|oauth)": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
});
