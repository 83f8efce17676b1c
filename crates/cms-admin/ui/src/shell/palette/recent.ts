// What somebody chose last, kept in this browser for each user: ids and nothing else. What they are called is asked for anew, so that nobody is shown what
// is gone, or what they may not see any more.

/** How many are offered first. */
const MOST = 5;

const keyOf = (user: string) => `cms-palette:${user}`;

/** What was chosen last, the newest first. */
export function recall(user: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(user: string, id: string): void {
  keep(user, [id, ...recall(user).filter((other) => other !== id)]);
}

export function forget(user: string, id: string): void {
  keep(user, recall(user).filter((other) => other !== id));
}

function keep(user: string, ids: string[]): void {
  try {
    localStorage.setItem(keyOf(user), JSON.stringify(ids.slice(0, MOST)));
  } catch {
    // Without storage nothing is recent.
  }
}

export const entryId = (collection: string, id: string) => `entry:${collection}:${id}`;
export const personId = (id: string) => `user:${id}`;

/** What an id stands for that has to be asked for. */
export function thingOf(id: string): { kind: "entry"; collection: string; id: string } | { kind: "person"; id: string } | undefined {
  const [kind, first, second] = id.split(":");
  if (kind === "entry" && first && second) return { kind, collection: first, id: second };
  if (kind === "user" && first) return { kind: "person", id: first };
  return undefined;
}
