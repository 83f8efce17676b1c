// The licenses of what others wrote and the built application contains, in one file beside it: whoever hands the server on hands them on too.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin, Rolldown } from "vite";

/** Packages that the bundler does not see as modules: what the style sheet takes from them. */
const IN_STYLES = ["@fontsource-variable/inter", "tailwindcss"].map((name) => join(process.cwd(), "node_modules", name));

interface Package {
  name: string;
  version: string;
  license: string;
}

/** The folder of the package that a module is part of. */
function packageOf(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0];
}

/** What is said of one package, by its name and version: its license in full, or at least what the license is called. */
function entry(folder: string): [string, string] {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  const file = readdirSync(folder).find((file) => /^(licen[sc]e|copying)(\.|$)/i.test(file));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `License: ${license}`;
  const line = "=".repeat(78);
  return [`${name} ${version}`, `${line}\n${name} ${version} (${license})\n${line}\n\n${text}\n`];
}

/** The packages that workers contain, which are built by themselves and before the page is written. */
const inWorkers = new Set<string>();

function packagesOf(bundle: Rolldown.OutputBundle): string[] {
  const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  return modules.map(packageOf).filter((folder) => folder !== undefined);
}

/** Notes what a worker contains. */
export function workerLicenses(): Plugin {
  return {
    name: "worker-licenses",
    apply: "build",
    generateBundle(_, bundle) {
      for (const folder of packagesOf(bundle)) inWorkers.add(folder);
    },
  };
}

/** Writes `licenses.txt` next to the page. */
export function licenses(): Plugin {
  return {
    name: "licenses",
    apply: "build",
    generateBundle(_, bundle) {
      const folders = new Set([...packagesOf(bundle), ...inWorkers, ...IN_STYLES]);
      const entries = new Map([...folders].filter((folder) => existsSync(join(folder, "package.json"))).map(entry));
      const texts = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
      const source = `The admin application contains these works of others, each under its license.\n\n${texts.join("\n")}`;
      this.emitFile({ type: "asset", fileName: "licenses.txt", source });
    },
  };
}
