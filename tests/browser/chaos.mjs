// The chaos test of the editor: two people write at random in one entry, each in a browser of their own, while the network is cut, answers come late or get
// lost, the server is killed, sessions end and tabs are closed. When all is well again, every word that was seen where it was typed has to be in the entry,
// unless somebody removed it, or left it out after it was shown in a conflict; and none may be there twice.
//
// `node chaos.mjs --minutes 30 --seed 1`, over the server that `CMS_BINARY` names. The same seed makes the same choices; what comes of them depends on how
// fast the machine is.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { openBrowser } from "./browser.mjs";
import { chanceOf } from "./chaos/chance.mjs";
import { befall, openWeather } from "./chaos/weather.mjs";
import { Words } from "./chaos/words.mjs";
import { Writer } from "./chaos/writer.mjs";
import { accept, getStarted, setUp } from "./door.mjs";
import { openSite } from "./site.mjs";

const LOGS = fileURLToPath(new URL("../../target/chaos/", import.meta.url));
/** How long one entry is written in before it is looked at, in milliseconds. */
const ROUND = [40_000, 100_000];

const FIELDS = [
  { slug: "title", type: "string", label: "Title" },
  { slug: "summary", type: "text", label: "Summary" },
  { slug: "body", type: "portableText", label: "Body" },
  { slug: "notes", type: "text", label: "Notes" },
  { slug: "rows", type: "repeater", label: "Parts", validation: { subFields: [{ slug: "name", type: "string", label: "Name" }] } },
];

const { values: given } = parseArgs({ options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } } });
const seed = given.seed ?? String(Math.floor(Math.random() * 2 ** 32));
const ends = Date.now() + Number(given.minutes) * 60_000;
console.log(`seed ${seed}, ${given.minutes} minutes`);

const began = Date.now();
const counted = {};
mkdirSync(LOGS, { recursive: true });
const log = `${LOGS}${seed}.jsonl`;

/** Notes that something happened. */
function note(what, more = {}) {
  counted[what] = (counted[what] ?? 0) + 1;
  appendFileSync(log, `${JSON.stringify({ at: new Date().toISOString(), what, ...more })}\n`);
}

/** Sees what a browser sends and is answered. */
function listen(name, context) {
  context.on("requestfinished", async (request) => {
    if (!/\/_cms\/api\/(content|auth)\//.test(request.url())) return;
    const response = await request.response().catch(() => null);
    const body = await response?.text().catch(() => "");
    if (request.method() === "PUT" && response?.ok()) note("save");
    note("request", { who: name, method: request.method(), path: new URL(request.url()).pathname, sent: request.postData(), status: response?.status(), body });
  });
}

/** One entry: written in while things go wrong, brought to rest, and looked at. Answers with what was promised and is not so. */
async function round(number, { site, ask, people, words }) {
  const chance = chanceOf(seed, `round ${number}`);
  const isLocked = chance.happens(50);
  await ask("PUT", "/schema/collections/notes", { editLocking: isLocked });
  const { id } = (await ask("POST", "/content/notes", { data: { title: "Chaos" } })).item;
  const address = `${site.admin}/content/notes/${id}`;
  const until = Math.min(ends, Date.now() + chance.between(...ROUND));
  const isOver = () => Date.now() >= until;
  note("round", { number, id, isLocked });
  await Promise.all([
    ...people.map(({ writer }) => writer.write(address, isOver)),
    ...people.map(({ victim }) => befall(victim, ["cut", "slow", "loses", "expire"], { chance: chanceOf(seed, `${number} ${victim.name}`), isOver, note, pause: [500, 8_000] })),
    befall({ name: "server", site }, ["kill"], { chance: chanceOf(seed, `${number} server`), isOver, note, pause: [5_000, 40_000] }),
  ]);
  const broken = [];
  // Whoever took something up while another held the entry, or saved later, may leave the other one something to take up.
  for (const { writer } of [...people, ...people]) {
    const stuck = await writer.settle(address);
    if (stuck) broken.push({ stuck });
  }
  const kept = [];
  for (const { writer } of people) kept.push(...(await writer.kept(address)));
  const { data } = (await ask("GET", `/content/notes/${id}`)).item;
  const { tally, lost, twice } = words.settle(data, kept);
  note("settled", { data, kept });
  broken.push(...lost.map((lost) => ({ lost })), ...twice.map((twice) => ({ twice })));
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  console.log(`${minutes} min: round ${number}${isLocked ? " with locks" : ""}: ${Object.entries(tally).map(([what, count]) => `${count} ${what}`).join(", ")}${kept.length > 0 ? `, ${kept.length} notes left` : ""}`);
  return broken;
}

const browser = await openBrowser();
const site = await openSite();
let broken = [];
try {
  const ada = await setUp(browser, site);
  await getStarted(ada.page);
  const { inviteUrl } = (await (await ada.ask("POST", "/auth/invite", { email: "grace@example.com", role: 40 })).json()).data;
  const grace = await accept(browser, site, inviteUrl, "Grace Hopper");
  await getStarted(grace.page);
  // Whoever looks at what came of it has a session that does not end.
  const watcher = await browser.newContext({ storageState: await ada.context.storageState() });
  async function ask(method, path, data) {
    const response = await watcher.request.fetch(`${site.origin}/_cms/api${path}`, { method, data, headers: { "x-cms-request": "1", origin: site.origin } });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return (await response.json()).data;
  }
  await ask("POST", "/schema/collections", { slug: "notes", label: "Notes", labelSingular: "Note", supports: ["drafts", "revisions"], fields: FIELDS });
  const words = new Words();
  const people = await Promise.all(
    Object.entries({ ada, grace }).map(async ([name, person]) => {
      await person.page.goto("about:blank");
      listen(name, person.context);
      const victim = { name, context: person.context, weather: await openWeather(person.context, chanceOf(seed, `${name}'s weather`), note) };
      return { victim, writer: new Writer({ name, person, chance: chanceOf(seed, name), words, note }) };
    }),
  );
  for (let number = 1; Date.now() < ends && broken.length === 0; number++) {
    writeFileSync(log, "");
    broken = await round(number, { site, ask, people, words });
  }
  for (const { complaints } of [ada, grace]) for (const complaint of complaints) note("complaint", { complaint });
} finally {
  await browser.close();
  await site.close();
}

const { request, over, ...done } = counted;
console.log(Object.entries(done).map(([what, count]) => `${what}: ${count}`).join(", "));
if (broken.length > 0) {
  broken.forEach((one) => console.log(JSON.stringify(one)));
  console.log(`What happened in the last round is in ${log}`);
  process.exitCode = 1;
} else {
  rmSync(log);
  console.log("Nothing was lost, and nothing is there twice.");
}
