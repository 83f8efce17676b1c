// Runs the protocol's conformance scenarios that apply to a stateless tools server: node conformance.mjs URL TOKEN
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [url, token] = process.argv.slice(2);
const program = join(dirname(fileURLToPath(import.meta.url)), "node_modules/.bin/conformance");

const APPLY = ["server-initialize", "ping", "tools-list", "tools-call-error", "dns-rebinding-protection"];

const FIXTURE = "calls a tool that only a test server has";
const NOT_OFFERED = "the capability is not offered";
const DO_NOT_APPLY = {
  "logging-set-level": NOT_OFFERED,
  "completion-complete": NOT_OFFERED,
  "tools-call-simple-text": FIXTURE,
  "tools-call-image": FIXTURE,
  "tools-call-audio": FIXTURE,
  "tools-call-embedded-resource": FIXTURE,
  "tools-call-mixed-content": FIXTURE,
  "tools-call-with-logging": FIXTURE,
  "tools-call-with-progress": FIXTURE,
  "tools-call-sampling": FIXTURE,
  "tools-call-elicitation": FIXTURE,
  "json-schema-2020-12": FIXTURE,
  "elicitation-sep1034-defaults": FIXTURE,
  "elicitation-sep1330-enums": FIXTURE,
  "server-sse-polling": "needs a session and an event stream; every answer here is one JSON document",
  "server-sse-multiple-streams": "needs a session",
  "resources-list": NOT_OFFERED,
  "resources-read-text": NOT_OFFERED,
  "resources-read-binary": NOT_OFFERED,
  "resources-templates-read": NOT_OFFERED,
  "resources-subscribe": NOT_OFFERED,
  "resources-unsubscribe": NOT_OFFERED,
  "prompts-list": NOT_OFFERED,
  "prompts-get-simple": NOT_OFFERED,
  "prompts-get-with-args": NOT_OFFERED,
  "prompts-get-embedded-resource": NOT_OFFERED,
  "prompts-get-with-image": NOT_OFFERED,
};

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(program, args);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("close", (status) => resolve({ status, output }));
  });
}

// The suite's client has no token of its own: this hands each request on, as it is, with ours.
const target = new URL(url);
const door = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
  const options = { host: target.hostname, port: target.port, path: target.pathname, method: incoming.method, headers };
  const onward = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
});
await new Promise((resolve) => door.listen(0, "127.0.0.1", resolve));

// A scenario that is new to the suite must be judged before it can be left out.
const { output: listed } = await run(["list", "--server"]);
const known = [...listed.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1]);
assert.deepEqual(known.sort(), [...APPLY, ...Object.keys(DO_NOT_APPLY)].sort());

let failed = false;
for (const scenario of APPLY) {
  const { status, output } = await run(["server", "--url", `http://127.0.0.1:${door.address().port}/mcp`, "--scenario", scenario]);
  const checks = output.match(/Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/);
  const good = status === 0 && checks && checks[1] === checks[2] && checks[1] !== "0" && checks[3] === "0" && checks[4] === "0";
  console.log(`${good ? "pass" : "FAIL"} ${scenario}`);
  if (!good) console.log(output);
  failed ||= !good;
}
door.close();
process.exitCode = failed ? 1 : 0;
