// Entries that wait for their time, and those whose time has passed.

import type { AnyEntry } from "~/api/types";

/** How long after its time an entry may become public, in milliseconds: servers look every few seconds. */
const GRACE = 120_000;

const timeOf = ({ scheduledAt }: AnyEntry) => (scheduledAt ? Date.parse(scheduledAt) : NaN);

/** Those that wait, the next one first, and those that should have been public, the one that is late for longest first. */
export function split(entries: readonly AnyEntry[], now: number): { next: AnyEntry[]; late: AnyEntry[] } {
  const inTime = entries.filter((entry) => !Number.isNaN(timeOf(entry))).sort((one, other) => timeOf(one) - timeOf(other));
  return { next: inTime.filter((entry) => timeOf(entry) > now - GRACE), late: inTime.filter((entry) => timeOf(entry) <= now - GRACE) };
}
