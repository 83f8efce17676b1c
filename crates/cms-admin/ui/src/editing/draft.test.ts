import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ApiError } from "~/api/errors";

import { Draft, KEEP, MOST, REST, type Note, type Stored } from "./draft";
import { nameOf, type Values } from "./merge";

const SHAPES = { body: "items" } as const;

const offline = () => new ApiError({ status: 0, code: "NETWORK", message: "cannot be reached" });

interface Block {
  _key: string;
  text: string;
}

type Fault = "none" | "lost" | "unanswered" | "slow" | "broken";

/** A server with one entry, and a network that fails as told. */
class Server {
  values: Values;
  #version = 1;
  faults: Fault[] = [];
  /** Names of fields that somebody removed. */
  removed: string[] = [];
  requests = 0;
  most = 0;
  #open = 0;

  constructor(values: Values) {
    this.values = values;
  }

  get stored(): Stored {
    return structuredClone({ values: this.values, rev: String(this.#version) });
  }

  /** Somebody else's change. */
  change(changes: Values): void {
    this.values = { ...this.values, ...structuredClone(changes) };
    this.#version += 1;
  }

  /** Nobody waits for answers any more. */
  forget(): void {
    this.#open = 0;
  }

  load = () => this.#over(() => this.stored);

  save = (changes: Values, rev: string) =>
    this.#over(() => {
      if (rev !== String(this.#version)) throw new ApiError({ status: 409, code: "CONFLICT", message: "stale" });
      if (changes.title === "wrong") {
        throw new ApiError({ status: 400, code: "VALIDATION_ERROR", message: "wrong", issues: [{ path: "data.title", code: "PATTERN", message: "is wrong" }] });
      }
      const unknown = Object.keys(changes).filter((name) => this.removed.includes(name));
      if (unknown.length > 0) {
        const issues = unknown.map((name) => ({ path: `data.${name}`, code: "UNKNOWN_FIELD", message: "no such field" }));
        throw new ApiError({ status: 400, code: "VALIDATION_ERROR", message: "unknown", issues });
      }
      this.change(changes);
      return this.stored;
    });

  /** Somebody removes a field, and its values with it. */
  remove(name: string): void {
    this.removed.push(name);
    this.values = Object.fromEntries(Object.entries(this.values).filter(([other]) => other !== name));
  }

  async #over<T>(work: () => T): Promise<T> {
    this.requests += 1;
    this.#open += 1;
    this.most = Math.max(this.most, this.#open);
    try {
      const fault = this.faults.shift() ?? "none";
      await pause(fault === "slow" ? 3_000 : 20);
      if (fault === "lost") throw offline();
      if (fault === "broken") throw new ApiError({ status: 503, code: "BUSY", message: "busy" });
      const answer = work();
      await pause(20);
      if (fault === "unanswered") throw offline();
      return answer;
    } finally {
      this.#open -= 1;
    }
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

class Memory {
  note: Note | undefined;
  write = (note: Note) => Promise.resolve(void (this.note = structuredClone(note)));
  clear = () => Promise.resolve(void (this.note = undefined));
}

function open(server: Server, journal = new Memory()) {
  return { draft: new Draft({ stored: server.stored, store: server, journal, shapes: SHAPES, isField: (name) => !server.removed.includes(name) }), journal };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a draft", () => {
  it("is sent when nothing is typed for a while, and only what was changed", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft } = open(server);
    for (const title of ["ab", "abc"]) {
      draft.change({ title });
      await pass(REST / 2);
    }
    expect(draft.state().standing).toBe("saving");
    await pass(REST);
    expect(server.values).toEqual({ title: "abc", n: 1 });
    expect(draft.state()).toMatchObject({ standing: "saved", unsaved: [] });
  });

  it("waits for whoever goes on typing, but not for long", async () => {
    const server = new Server({ title: "" });
    const { draft } = open(server);
    for (let typed = 0; typed < MOST - 200; typed += 100) {
      draft.change({ title: "x".repeat(typed) });
      await pass(100);
    }
    expect(server.requests).toBe(0);
    for (let typed = 0; typed < MOST; typed += 100) {
      draft.change({ title: "y".repeat(typed) });
      await pass(100);
    }
    expect(server.requests).toBe(1);
  });

  it("keeps the blocks that the server answers with as they are", async () => {
    const body: Block[] = [0, 1].map((n) => ({ _key: `b${n}`, text: "" }));
    const server = new Server({ title: "", body });
    const { draft } = open(server);
    const [first] = draft.state().values.body as Block[];
    const written = [first, { _key: "b1", text: "word" }];
    draft.change({ body: written });
    await pass(REST + 200);
    expect(draft.state().standing).toBe("saved");
    expect(draft.state().values.body).toBe(written);
    server.change({ body: [first, { _key: "b1", text: "another" }] });
    draft.receive(server.stored);
    expect((draft.state().values.body as Block[])[0]).toBe(first);
  });

  it("is kept here before it is sent, and until it arrived", async () => {
    const server = new Server({ title: "a" });
    const { draft, journal } = open(server);
    draft.change({ title: "b" });
    await pass(KEEP);
    expect(journal.note?.values).toEqual({ title: "b" });
    expect(server.values.title).toBe("a");
    await pass(REST + 100);
    expect(server.values.title).toBe("b");
    expect(journal.note).toBeUndefined();
  });

  it("goes out in one request at a time, however fast somebody types", async () => {
    const server = new Server({ title: "" });
    const { draft } = open(server);
    server.faults = ["slow", "slow"];
    for (let n = 1; n <= 100; n++) {
      draft.change({ title: "x".repeat(n) });
      await pass(90);
    }
    await pass(5_000);
    expect(server.values.title).toBe("x".repeat(100));
    expect(server.most).toBe(1);
  });

  it("stays what was typed since, whatever the answer to an earlier request says", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.faults = ["slow"];
    draft.change({ title: "b" });
    await pass(REST + 100);
    draft.change({ title: "bc" });
    await pass(3_100);
    expect(draft.state().values.title).toBe("bc");
    await pass(REST + 100);
    expect(server.values.title).toBe("bc");
  });

  it("is whole on the server before something is done to it, and nothing is sent meanwhile", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    let seen: unknown;
    const publish = async () => {
      seen = server.values.title;
      draft.change({ title: "bcd" });
      await pause(2_000);
      // What was typed meanwhile waits.
      expect(server.values.title).toBe("bc");
      server.change({ publishedAt: "now" });
      return server.stored;
    };
    draft.change({ title: "bc" });
    const acted = draft.act(publish);
    await pass(5_000);
    expect(await acted).toBe(true);
    expect(seen).toBe("bc");
    await pass(2_000);
    expect(server.values).toEqual({ title: "bcd", publishedAt: "now" });
    expect(draft.state().standing).toBe("saved");
  });

  it("has nothing done to it while something is refused, in conflict or offline", async () => {
    const server = new Server({ title: "a", n: 1 });
    const act = vi.fn(() => Promise.resolve(server.stored));
    const { draft } = open(server);
    draft.change({ title: "wrong" });
    const refused = draft.act(act);
    await pass(2_000);
    expect(await refused).toBe(false);
    draft.change({ title: "right" });
    server.change({ title: "theirs" });
    const disputed = draft.act(act);
    await pass(2_000);
    expect(await disputed).toBe(false);
    expect(draft.state().standing).toBe("conflict");
    expect(act).not.toHaveBeenCalled();
    const { draft: other } = open(server);
    server.faults = ["lost", "lost"];
    other.change({ n: 2 });
    const cut = other.act(act);
    await pass(1_500);
    expect(await cut).toBe(false);
    expect(act).not.toHaveBeenCalled();
  });

  it("takes up what others did when something could not be done to it, and can be acted on again", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft } = open(server);
    server.change({ n: 2 });
    const stale = (): Promise<Stored> => Promise.reject(new ApiError({ status: 409, code: "CONFLICT", message: "stale" }));
    const first = draft.act(stale).catch((error: unknown) => error);
    await pass(1_000);
    expect(await first).toMatchObject({ code: "CONFLICT" });
    expect(draft.state().values).toEqual({ title: "a", n: 2 });
    const second = draft.act((rev) => Promise.resolve({ ...server.stored, rev }));
    await pass(1_000);
    expect(await second).toBe(true);
  });

  it("sends nothing any more once it is over, although the server can be reached again", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.faults = ["lost", "lost", "lost"];
    draft.change({ title: "b" });
    await pass(2_000);
    expect(draft.state().standing).toBe("offline");
    draft.stop();
    const { requests } = server;
    server.faults = [];
    draft.change({ title: "c" });
    await pass(120_000);
    expect(server.requests).toBe(requests);
    expect(server.values).toEqual({ title: "a" });
  });

  it("is sent again when what it was refused for is over", async () => {
    const server = new Server({ title: "a" });
    const { draft, journal } = open(server);
    const { save } = server;
    server.save = () => Promise.reject(new ApiError({ status: 409, code: "ENTRY_LOCKED", message: "held" }));
    draft.change({ title: "b" });
    await pass(2_000);
    expect(draft.state()).toMatchObject({ standing: "refused", unsaved: ["title"] });
    expect(journal.note?.values.title).toBe("b");
    server.save = save;
    draft.retry();
    await pass(2_000);
    expect(server.values.title).toBe("b");
    expect(draft.state().standing).toBe("saved");
  });

  it("waits while the server cannot be reached, and says so", async () => {
    const server = new Server({ title: "a" });
    const { draft, journal } = open(server);
    server.faults = ["lost", "broken"];
    draft.change({ title: "b" });
    await pass(REST + 100);
    expect(draft.state().standing).toBe("offline");
    expect(journal.note).toBeDefined();
    await pass(10_000);
    expect(server.values.title).toBe("b");
    expect(draft.state().standing).toBe("saved");
  });

  it("is not a conflict with itself when an answer got lost", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.faults = ["unanswered"];
    draft.change({ title: "b" });
    await pass(REST + 100);
    draft.change({ title: "bc" });
    await pass(10_000);
    expect(server.values.title).toBe("bc");
    expect(draft.state()).toMatchObject({ standing: "saved", conflicts: [] });
  });

  it("takes in what somebody else wrote elsewhere", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft } = open(server);
    server.change({ n: 2 });
    draft.change({ title: "b" });
    await pass(REST + 200);
    expect(server.values).toEqual({ title: "b", n: 2 });
    expect(draft.state()).toMatchObject({ standing: "saved", values: { title: "b", n: 2 } });
  });

  it("stops where somebody else wrote in the same place, until it is decided what becomes of it", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft, journal } = open(server);
    server.change({ title: "theirs" });
    draft.change({ title: "mine" });
    await pass(REST + 200);
    expect(draft.state()).toMatchObject({ standing: "conflict", values: { title: "mine" }, conflicts: [{ path: ["title"], mine: "mine", theirs: "theirs" }] });
    draft.change({ n: 2 });
    await pass(10_000);
    expect(server.values).toEqual({ title: "theirs", n: 1 });
    expect(journal.note?.values).toEqual({ title: "mine", n: 2 });
    draft.decide(new Map([[nameOf(["title"]), "mine"]]));
    await pass(REST + 200);
    expect(server.values).toEqual({ title: "mine", n: 2 });
    expect(journal.note).toBeUndefined();
  });

  it("is shown in a conflict as it is written by now", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.change({ title: "theirs" });
    draft.change({ title: "mine" });
    await pass(REST + 200);
    draft.change({ title: "mine, and more" });
    expect(draft.state()).toMatchObject({ standing: "conflict", conflicts: [{ path: ["title"], mine: "mine, and more", theirs: "theirs" }] });
  });

  it("says which field the server refuses, and saves the others", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft, journal } = open(server);
    draft.change({ title: "wrong", n: 2 });
    await pass(REST + 200);
    expect(server.values).toEqual({ title: "a", n: 2 });
    expect(draft.state()).toMatchObject({ standing: "refused", unsaved: ["title"], issues: [{ path: "data.title" }] });
    expect(journal.note?.values.title).toBe("wrong");
    const { requests } = server;
    await pass(60_000);
    expect(server.requests).toBe(requests);
    draft.change({ title: "right" });
    expect(draft.state().issues).toEqual([]);
    await pass(REST + 200);
    expect(server.values.title).toBe("right");
  });

  it("is flushed without a pause", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    draft.change({ title: "b" });
    const flushed = draft.flush();
    await pass(100);
    expect(await flushed).toBe(true);
    expect(server.values.title).toBe("b");
  });

  it("is not flushed when the server cannot be reached or refuses it", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.faults = ["lost"];
    draft.change({ title: "b" });
    const flushed = draft.flush();
    await pass(100);
    expect(await flushed).toBe(false);
    await pass(10_000);
    draft.change({ title: "wrong" });
    const refused = draft.flush();
    await pass(100);
    expect(await refused).toBe(false);
  });

  it("goes on after a crash from what was kept", async () => {
    const server = new Server({ title: "a", n: 1 });
    const { draft, journal } = open(server);
    server.faults = Array<Fault>(100).fill("lost");
    draft.change({ title: "b" });
    await pass(KEEP);
    server.faults = [];
    server.change({ n: 2 });
    const note = journal.note;
    expect(note).toBeDefined();
    const after = open(server).draft;
    if (note) await after.resume(note);
    await pass(REST + 200);
    expect(server.values).toEqual({ title: "b", n: 2 });
  });

  it.each<[string, Fault[]]>([
    ["at once", []],
    ["offline", ["lost"]],
  ])("stays when what was kept is taken up beside it, %s", async (_, faults) => {
    const server = new Server({ title: "a", n: 1 });
    const { draft } = open(server);
    server.faults = faults;
    draft.change({ n: 2 });
    const resumed = draft.resume({ base: server.stored, values: { title: "b", n: 1 } });
    await pass(REST + 200);
    expect(await resumed).toBe(true);
    await pass(10_000);
    expect(server.values).toEqual({ title: "b", n: 2 });
  });

  it("stays when what was kept is in its way", async () => {
    const server = new Server({ title: "a" });
    const { draft } = open(server);
    server.faults = ["lost"];
    draft.change({ title: "c" });
    const resumed = draft.resume({ base: server.stored, values: { title: "b" } });
    await pass(REST + 200);
    expect(await resumed).toBe(false);
    await pass(10_000);
    expect(server.values).toEqual({ title: "c" });
  });
});

describe("what is written in a field that is removed meanwhile", () => {
  /** A draft whose field is removed after it was opened. */
  function removedWhileOpen(values: Values) {
    const server = new Server(values);
    const journal = new Memory();
    const draft = new Draft({ stored: server.stored, store: server, journal, shapes: SHAPES, isField: () => true });
    server.remove("summary");
    return { server, journal, draft };
  }

  it("is kept aside, and everything else is saved and can be published", async () => {
    const { server, journal, draft } = removedWhileOpen({ title: "a", summary: "old" });
    draft.change({ title: "b", summary: "new" });
    await pass(REST + 500);
    expect(server.values).toEqual({ title: "b" });
    expect(draft.state()).toMatchObject({ standing: "saved", unsaved: [], issues: [], values: { title: "b" }, removed: { summary: "new" } });
    expect(draft.state().values).not.toHaveProperty("summary");
    expect(draft.isField("summary")).toBe(false);
    expect(journal.note?.values).toEqual({ title: "b", summary: "new" });
    const published = draft.act(() => Promise.resolve(server.stored));
    await pass(1_000);
    expect(await published).toBe(true);
    draft.change({ title: "bc" });
    await pass(REST + 500);
    expect(server.values).toEqual({ title: "bc" });
    expect(journal.note?.values).toEqual({ title: "bc", summary: "new" });
  });

  it("is given up when somebody says so", async () => {
    const { server, journal, draft } = removedWhileOpen({ title: "a", summary: "old" });
    draft.change({ summary: "new" });
    await pass(REST + 500);
    const { requests } = server;
    await draft.giveUpRemoved();
    expect(draft.state().removed).toEqual({});
    expect(journal.note).toBeUndefined();
    await pass(10_000);
    expect(server.requests).toBe(requests);
  });

  it("is nothing where it was only cleared", async () => {
    const { server, journal, draft } = removedWhileOpen({ title: "a", summary: "old" });
    draft.change({ summary: null });
    await pass(REST + 500);
    expect(draft.state()).toMatchObject({ standing: "saved", unsaved: [], removed: {} });
    expect(server.values).toEqual({ title: "a" });
    expect(journal.note).toBeUndefined();
  });

  it("is no reason to keep from others what is wrong elsewhere", async () => {
    const { server, draft } = removedWhileOpen({ title: "a", summary: "old" });
    draft.change({ title: "wrong", summary: "new" });
    await pass(REST + 2_000);
    expect(draft.state()).toMatchObject({ standing: "refused", unsaved: ["title"], issues: [{ path: "data.title" }], removed: { summary: "new" } });
    expect(server.values).toEqual({ title: "a" });
  });

  it.each([
    ["at once", []],
    ["offline", ["lost" as const]],
  ])("comes back from a note beside what is saved, %s, and is in nobody's way", async (_, faults) => {
    const server = new Server({ title: "a", n: 1, summary: "old" });
    const base = server.stored;
    server.remove("summary");
    server.change({ n: 2 });
    const { draft, journal } = open(server);
    server.faults = [...faults];
    if (faults.length > 0) draft.change({ n: 3 });
    const resumed = draft.resume({ base, sent: base.values, values: { title: "b", n: 1, summary: "new" } });
    await pass(REST + 200);
    expect(await resumed).toBe(true);
    await pass(10_000);
    expect(server.values).toEqual({ title: "b", n: faults.length > 0 ? 3 : 2 });
    expect(draft.state()).toMatchObject({ standing: "saved", conflicts: [], removed: { summary: "new" } });
    expect(journal.note?.values.summary).toBe("new");
    // Another note of the same field stays on offer.
    const other = draft.resume({ base, values: { ...base.values, summary: "another" } });
    await pass(REST + 200);
    expect(await other).toBe(false);
    expect(draft.state().removed).toEqual({ summary: "new" });
  });
});

type Deed = { kind: "type" | "other" | "pause" | "crash" | "flush"; place: number; time: number };

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    kind: fc.oneof({ weight: 6, arbitrary: fc.constant("type" as const) }, { weight: 2, arbitrary: fc.constant("other" as const) }, { weight: 2, arbitrary: fc.constant("pause" as const) }, fc.constant("crash" as const), fc.constant("flush" as const)),
    place: fc.nat(3),
    time: fc.nat(2_500),
  }),
  { minLength: 5, maxLength: 40 },
);
const faults = fc.array(fc.constantFrom<Fault>("none", "none", "lost", "unanswered", "slow", "broken"), { maxLength: 30 });

/** All that stands somewhere, as one text. */
const textOf = (value: unknown) => JSON.stringify(value);

describe("whatever fails, every word", () => {
  it("is in the server, kept here, or in a conflict that is shown, and nothing is doubled", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, faults, async (deeds, faults) => {
        const body: Block[] = [0, 1, 2].map((n) => ({ _key: `b${n}`, text: "" }));
        const server = new Server({ title: "", body });
        server.faults = [...faults];
        const journal = new Memory();
        let { draft } = open(server, journal);
        const typed: { word: string; at: number }[] = [];
        const written: string[] = [];
        const add = (values: Values, place: number, word: string): Values =>
          place === 3 ? { title: `${values.title as string}${word}` } : { body: (values.body as Block[]).map((block, n) => (n === place ? { ...block, text: `${block.text}${word}` } : block)) };
        let count = 0;
        for (const { kind, place, time } of deeds) {
          const word = `<${kind}${count++}>`;
          if (kind === "type") {
            typed.push({ word, at: Date.now() });
            draft.change(add(draft.state().values, place, word));
          } else if (kind === "other") {
            written.push(word);
            server.change(add(server.values, place, word));
          } else if (kind === "flush") {
            void draft.flush();
          } else if (kind === "crash") {
            const known = textOf([server.values, journal.note]);
            for (let n = typed.length - 1; n >= 0; n--) {
              const one = typed[n];
              if (one && !known.includes(one.word)) {
                // What was typed in the last moment is all that may be gone.
                expect(Date.now() - one.at).toBeLessThanOrEqual(KEEP);
                typed.splice(n, 1);
              }
            }
            vi.clearAllTimers();
            server.forget();
            const { note } = journal;
            draft = open(server, journal).draft;
            if (note) await draft.resume(note);
          }
          await pass(time);
        }
        server.faults = [];
        await pass(120_000);
        const state = draft.state();
        const there = textOf(server.values);
        const known = textOf([server.values, state.conflicts.map(({ mine }) => mine), journal.note]);
        for (const { word } of typed) expect(known).toContain(word);
        for (const word of written) expect(there).toContain(word);
        for (const word of [...typed.map(({ word }) => word), ...written]) expect(there.split(word).length).toBeLessThanOrEqual(2);
        expect(["saved", "conflict"]).toContain(state.standing);
        if (state.standing === "saved") expect(journal.note).toBeUndefined();
        expect(server.most).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});
