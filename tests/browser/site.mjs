// A site of a test's own: the built server on a free port, with an empty SQLite in a folder that goes away with it.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { openSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

/** The built server. `cargo xtask test` names it; by hand it is the one that `cargo build` makes. */
const binary = process.env.CMS_BINARY ?? new URL("../../target/debug/cms", import.meta.url).pathname;

/** Starts a server, and answers when it listens. `config` is its configuration file. */
export async function openSite({ config = "" } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cms-browser-"));
  await writeFile(join(folder, "cms.toml"), config);
  const variables = { CMS_DATABASE_URL: "sqlite:data/cms.db" };
  let server = await start(folder, variables, 0);
  const { greeting } = server;
  // Passkeys belong to a name: browsers refuse them for an address of numbers.
  const { port } = new URL(greeting.listening);
  const origin = `http://localhost:${port}`;
  return {
    origin,
    admin: `${origin}/_cms/admin`,
    /** The page that sets the site up, with its one-time token. */
    setup: greeting.setup,
    /** Runs the command line over this site, and answers with what it printed. */
    run: (...given) => run(given, folder, variables),
    /** Kills the server in the middle of what it does, and starts another one in its place after some milliseconds. */
    async crash(pause = 0) {
      await server.end("SIGKILL");
      await setTimeout(pause);
      server = await start(folder, variables, port);
    },
    async close() {
      await server.end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A server that listens, and what it said when it began to. */
async function start(folder, env, port) {
  const log = openSync(join(folder, "server.log"), "a");
  const server = spawn(binary, ["--json", "serve", "--listen", `127.0.0.1:${port}`], { cwd: folder, env, stdio: ["ignore", "pipe", log] });
  closeSync(log);
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const first = new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", resolve);
    server.once("error", reject);
    server.once("exit", reject);
  });
  const end = (signal) => {
    server.kill(signal);
    return ended;
  };
  try {
    return { greeting: JSON.parse(await first), end };
  } catch {
    throw new Error(`the server did not say where it listens:\n${await readFile(join(folder, "server.log"), "utf8")}`);
  }
}

function run(given, cwd, env) {
  return new Promise((resolve, reject) => {
    const command = spawn(binary, given, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [printed, complained] = ["", ""];
    command.stdout.on("data", (text) => (printed += text));
    command.stderr.on("data", (text) => (complained += text));
    command.once("error", reject);
    command.once("close", (code) => (code === 0 ? resolve(printed.trim()) : reject(new Error(`cms ${given.join(" ")}: ${complained}`))));
  });
}
