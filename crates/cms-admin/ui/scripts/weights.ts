// What a screen weighs when nothing of it is kept yet. Too much of it fails the build.

import { statSync } from "node:fs";
import { join } from "node:path";

import type { Plugin, Rolldown } from "vite";

/**
 * The most bytes that a screen may send for before the editor is opened, compressed as most browsers are sent them, in the language that needs
 * most. On a slow phone (1.6 Mbit/s) that takes a second and a quarter.
 */
const MOST = 250_000;

/** The screens that people begin with: the question who they are, and a list of entries, which is the heaviest before the editor. */
const SCREENS = {
  "sign-in page": /\/routes\/_door\/login\.tsx\?tsr-split=component/,
  "list of entries": /\/routes\/_shell\/content\.\$collection\.index\.tsx\?tsr-split=component/,
};

/** A page of the application, which is not compressed beforehand, is about as large as this. */
const PAGE = 1_000;

/** Weighs the first screens once their compressed copies are written, and tells what they weigh. */
export function weights(): Plugin {
  const files = new Map<string, Set<string>>();
  let catalogs: string[] = [];
  return {
    name: "weights",
    apply: "build",
    writeBundle(_, bundle) {
      const parts = Object.values(bundle);
      const chunks = parts.filter((part) => part.type === "chunk");
      const always = parts.filter(({ type, fileName }) => type === "asset" && /\/boot-[^/]+\.js$/.test(fileName)).map(({ fileName }) => fileName);
      catalogs = chunks.filter(({ facadeModuleId }) => /\/src\/locales\/\w+\.ts$/.test(facadeModuleId ?? "")).map(({ fileName }) => fileName);
      for (const [screen, test] of Object.entries(SCREENS)) {
        const own = chunks.filter((chunk) => chunk.isEntry || test.test(chunk.facadeModuleId ?? ""));
        if (own.length < 2) this.error(`there is no file of the ${screen}: what is it called now?`);
        files.set(screen, new Set([...always, ...own.flatMap((chunk) => needed(chunk, bundle))]));
      }
    },
    closeBundle() {
      const size = (name: string) => statSync(join("dist", `${name}.br`)).size;
      const language = Math.max(...catalogs.map(size));
      for (const [screen, names] of files) {
        const weight = PAGE + language + [...names].map(size).reduce((sum, size) => sum + size, 0);
        const said = `the ${screen} weighs ${weight.toLocaleString("en")} bytes, of at most ${MOST.toLocaleString("en")}`;
        if (weight > MOST) this.error(`${said}: ${[...names].map((name) => `${name} ${size(name)}`).join(", ")}`);
        this.info(said);
      }
    },
  };
}

/** A chunk with all that it imports, and their style sheets. */
function needed(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, known = new Set<string>()): string[] {
  if (known.has(chunk.fileName)) return [];
  known.add(chunk.fileName);
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
  const imported = chunk.imports.map((name) => bundle[name]).filter((part) => part?.type === "chunk");
  return [chunk.fileName, ...styles, ...imported.flatMap((part) => needed(part, bundle, known))];
}
