// Whether somebody is signing out just now: then no refusal asks them to sign in again. And what has to be done while they still may.

export const isLeaving = { current: false };

const farewells = new Set<() => Promise<unknown>>();

/** Has something done before a session ends. Answers with what takes that back. */
export function beforeLeaving(farewell: () => Promise<unknown>): () => void {
  farewells.add(farewell);
  return () => farewells.delete(farewell);
}

/** Does it. What fails holds nobody up. */
export async function sayFarewell(): Promise<void> {
  await Promise.allSettled([...farewells].map((farewell) => farewell()));
}
