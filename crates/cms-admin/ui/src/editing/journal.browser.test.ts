import { beforeEach, expect, it } from "vitest";

import { abandoned, forget, LASTS, openJournal, prune } from "./journal";

const note = (title: string) => ({ base: { values: { title: "a" }, rev: "1" }, values: { title } });

let entry: string;
beforeEach(() => void (entry = crypto.randomUUID()));

it("keeps what was written last until it is cleared", async () => {
  const journal = openJournal(entry);
  await journal.write(note("b"));
  await journal.write(note("c"));
  journal.close();
  expect((await settled(1)).map(({ note }) => note.values.title)).toEqual(["c"]);
  await journal.clear();
  expect(await abandoned(entry)).toEqual([]);
});

it("keeps whole what is written after a clearing that overtook a note", async () => {
  const journal = openJournal(entry);
  const { base } = note("b");
  await Promise.all([journal.write({ base, values: { title: "b" } }), journal.clear()]);
  await journal.write({ base, values: { title: "c" } });
  journal.close();
  expect((await settled(1)).map(({ note }) => note.values.title)).toEqual(["c"]);
});

it("leaves what a tab keeps that is still open", async () => {
  const journal = openJournal(entry);
  await journal.write(note("b"));
  expect(await abandoned(entry)).toEqual([]);
  journal.close();
  expect(await settled(1)).toHaveLength(1);
});

it("finds what each of several tabs left, the newest first, and of no other entry", async () => {
  for (const title of ["b", "c"]) {
    const journal = openJournal(entry);
    await journal.write(note(title));
    journal.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const kept = await settled(2);
  expect(kept.map(({ note }) => note.values.title)).toEqual(["c", "b"]);
  expect(await abandoned(crypto.randomUUID())).toEqual([]);
  if (kept[0]) await forget(kept[0]);
  expect((await abandoned(entry)).map(({ note }) => note.values.title)).toEqual(["b"]);
});

it("removes what nobody came back for, and nothing else", async () => {
  const journal = openJournal(entry);
  await journal.write(note("b"));
  journal.close();
  await prune(Date.now() + LASTS - 60_000);
  expect(await settled(1)).toHaveLength(1);
  await prune(Date.now() + LASTS + 60_000);
  expect(await abandoned(entry)).toEqual([]);
});

/** A lock is given back a moment after one lets it go. */
async function settled(count: number) {
  let kept = await abandoned(entry);
  for (let tries = 0; kept.length < count && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    kept = await abandoned(entry);
  }
  return kept;
}
