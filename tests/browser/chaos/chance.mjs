// Chance that a seed repeats.

import { createHash } from "node:crypto";

/** Choices made from a seed, for one of those who choose: each has a stream of their own, so that the others' choices do not depend on theirs. */
export function chanceOf(seed, who) {
  let state = createHash("sha256").update(`${seed} ${who}`).digest().readUInt32LE();
  /** A number from 0 up to 1 (mulberry32). */
  function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least, most) => least + next() * (most - least);
  return {
    between,
    /** Whether something happens that does so many times in a hundred. */
    happens: (percent) => next() * 100 < percent,
    pick: (list) => list[Math.floor(next() * list.length)],
    letters: (count) => Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(next() * 26))).join(""),
  };
}
