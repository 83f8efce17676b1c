// Names that a tab holds for as long as it is there: the next one can tell what a crashed one left behind (Web Locks API).

/** Names of what is held by any tab; undefined where a browser has none, as without encryption. */
export async function held(): Promise<Set<string> | undefined> {
  if (!("locks" in navigator)) return undefined;
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name ? [name] : [])));
}

/** Holds a name until the tab is gone, or the answer is called. */
export function hold(name: string): () => void {
  if (!("locks" in navigator)) return () => undefined;
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks.request(name, () => until);
  return release;
}
